#pragma once

#include <string>
#include <string_view>

#include "core/parameters.h"

// Formulas with the values of parameters in them, as a text book would write them.
namespace pegen::encodings {

/// The names that a formula gives to things: "pos", "2i", "d".
struct WaveNames {
    std::string_view position;
    std::string_view exponent;
    std::string_view width;
};

/// "0.5 * sin(1000 * pos / 10000^(2i / (d - 2)))" of base, denom-shift, freq-scale and out-scale.
/// Of a base for each axis, the name.
std::string wave_text(const Parameters& parameters, std::string_view function,
                      const WaveNames& names);

/// "first + step * index" of two numbers as text, without what changes nothing.
std::string progression_text(std::string_view first, std::string_view step, std::string_view index);

}  // namespace pegen::encodings

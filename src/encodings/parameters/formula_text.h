#pragma once

#include <string>
#include <string_view>

#include "core/parameters.h"

// Formulas with the values of parameters in them, as a textbook would write them.
namespace pegen::encodings {

/// The names in a formula: "pos", "2i", "d".
struct WaveNames {
    std::string_view position;
    std::string_view exponent;
    std::string_view width;
};

/// Returns "0.5 * sin(1000 * pos / 10000^(2i / (d - 2)))" for the values of base, denom-shift,
/// freq-scale and out-scale. If each axis has a base of its own, the base is called base_a.
std::string wave_text(const Parameters& parameters, std::string_view function,
                      const WaveNames& names);

/// Returns "first + step * index", leaving out a first of 0 and a step of 1.
std::string progression_text(std::string_view first, std::string_view step, std::string_view index);

}  // namespace pegen::encodings

#pragma once

#include <string>
#include <string_view>

#include "core/parameters.h"

// Formulas with the values of parameters filled in, as a textbook would write them.
namespace pegen::encodings {

/// The names of the quantities in a formula: "pos", "2i", "d".
struct WaveNames {
    std::string_view position;
    std::string_view exponent;
    std::string_view width;
};

/// Returns "0.5 * sin(1000 * pos / 10000^(2i / (d - 2)))" for the values of base, denom-shift,
/// freq-scale and out-scale. The base is called base_a if each axis has its own.
std::string wave_text(const Parameters& parameters, std::string_view function,
                      const WaveNames& names);

/// Returns "first + step * index", without `first` if it is 0 and without `step` if it is 1.
std::string progression_text(std::string_view first, std::string_view step, std::string_view index);

}  // namespace pegen::encodings

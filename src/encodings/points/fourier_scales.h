#pragma once

#include <array>
#include <numbers>
#include <string>
#include <vector>

#include "encodings/points/fourier_bands.h"
#include "evidence/simple_number.h"

namespace pegen::encodings {

using AllBands = std::vector<FourierBands>;  ///< of each axis

/// How the first frequency is shared out: freq-scale times the first of --freqs.
struct Scale {
    std::string text;
    double value;
    double unit;  ///< the first of --freqs

    double product() const { return value * unit; }
};

/// The factors that have names, or none.
inline const std::array usual_scales{Scale{"1", 1, 1}, Scale{"pi", std::numbers::pi, 1},
                                     Scale{"2*pi", 2 * std::numbers::pi, 1}};

bool is_usual(double scale);

/// Returns the number as presets have it: 0.0001, not 1e-04.
std::string text_of(const evidence::SimpleNumber& number);

/// Returns the simplest number within the error, as typed.
std::string simplest(const evidence::Measured& number);

/// Returns --freqs, the first frequency being `unit`, or the second if the first is 0. Of pow2 the
/// unit is a power of two.
std::string freqs_text(const AllBands& all, double unit);

/// Returns the scales whose product is `first`: with other numbers in --freqs, where they may have
/// others.
std::vector<Scale> scales_of(const evidence::Measured& first, const AllBands& bands);

}  // namespace pegen::encodings

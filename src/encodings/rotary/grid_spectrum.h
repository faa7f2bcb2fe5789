#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "encodings/rotary/bounds.h"
#include "encodings/rotary/frequency_settings.h"

// Rope-grid settings from the frequencies of each axis.
namespace pegen::encodings {

/// What a table shows of an axis.
struct AxisTurning {
    char axis;  ///< t, y or x
    std::int64_t extent;
    std::vector<evidence::Measured> frequencies;  ///< of its pairs, in radians per coordinate
};

/// A way to share the powers of one base out to the pairs: pair k of an axis has base^-exponent.
struct PowerSpectrum {
    std::string_view name;
    /// `rank` is that of the axis among the `axes` blocks, `first` the first of its `pairs` pairs
    /// among `all`.
    double (*exponent)(double k, double pairs, double rank, double axes, double first, double all);
};

std::span<const PowerSpectrum> power_spectra();

/// Returns the settings of the spectrum, with --freq-scale and --ref-extent, that have these
/// frequencies, cheapest first. The axes come in the order of their blocks.
std::vector<RopeSettings> grid_settings(const std::vector<AxisTurning>& axes);

}  // namespace pegen::encodings

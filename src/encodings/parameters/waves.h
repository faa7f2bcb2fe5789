#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "core/axis.h"
#include "core/positions.h"
#include "encodings/encoding.h"
#include "encodings/parameters/wave_cell.h"
#include "numerics/channel_layout.h"
#include "numerics/float32_angles.h"
#include "numerics/frequencies.h"

namespace pegen::encodings {

/// A table (positions, channels) of  scale * function(position * frequency),  said once for its
/// values, for the cells that explain them, and for its pairs.
struct Waves {
    Positions positions;
    numerics::ChannelLayout layout;  ///< the function and the frequency of each channel
    std::function<numerics::Frequencies()> frequencies;
    FrequencyTerms terms;      ///< the frequencies in the formulas of cells; null without cells
    std::string_view options;  ///< what to change where an angle is too large: "--base, --step"
    double scale = 1;
    std::string_view scale_name = "";  ///< the parameter that the scale comes from
    /// Returns the angles that float32 code computes. Null for the exact formula.
    std::function<numerics::Float32Angles()> float32 = nullptr;
};

/// Returns waves with the frequencies of the progression and a scale of 1, exact or, as --arith of
/// `parameters` says, in float32: position * freq-scale * (1 / base^u).
Waves geometric_waves(const Parameters& parameters, const Positions& positions,
                      numerics::ChannelLayout layout,
                      const numerics::GeometricProgression& progression, std::string_view options);

/// Returns the rows of the table, each value correctly rounded, or rounded to float32 at each step
/// if `float32` is not null. Throws: UsageError if an angle is beyond numerics::largest_angle, or
/// if `dtype` cannot hold the scale.
Rows wave_rows(const Waves& waves, DType dtype);

/// Returns the cell of the value in row `row` and channel `channel`, by the exact formula.
Cell cell_of(const Waves& waves, std::int64_t row, std::int64_t channel);

/// Plans the table with the axes `rows` and channel.
Plan wave_plan(Parameters parameters, const Waves& waves, Axis rows);

}  // namespace pegen::encodings

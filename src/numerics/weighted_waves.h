#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/dtype.h"
#include "core/table.h"
#include "numerics/channel_layout.h"
#include "numerics/coordinates.h"
#include "numerics/frequencies.h"
#include "numerics/real.h"

namespace pegen::numerics {

/// A weight of 0 to 1 for each row and frequency.
struct WaveWeights {
    /// Returns the weight, evaluated with the bits of Precision, off by at most rounding_errors()
    /// of itself.
    std::function<Real(std::int64_t row, std::size_t k)> exact;
    /// Fills in the weights of a row, each off by at most 2^-41 of itself; 1 only if the exact
    /// weight is 1, 0 if it is below 2^-1076.
    std::function<void(std::int64_t row, std::span<double> weights)> near;
};

/// Returns the rows of
///     table[row, channel] = weight(row, k) * function(coordinates.at(row) * frequency[k]),
/// for the function and the frequency that the layout gives the channel.
/// Shape: (coordinates.size(), layout.channels).
///
/// Max error: 0.5 ULP. `dtype` is float32, float64, float16 or bfloat16. Values of float64 with a
/// weight between 0 and 1 take microseconds each.
/// Precondition: coordinates.largest() * frequencies.largest() <= largest_angle.
Rows weighted_waves(Coordinates coordinates, Frequencies frequencies, ChannelLayout layout,
                    WaveWeights weights, DType dtype);

}  // namespace pegen::numerics

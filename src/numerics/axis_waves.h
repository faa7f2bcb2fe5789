#pragma once

#include <optional>
#include <vector>

#include "core/dtype.h"
#include "core/positions.h"
#include "core/table.h"
#include "numerics/channel_layout.h"
#include "numerics/frequencies.h"
#include "numerics/plane_waves.h"

namespace pegen::numerics {

/// A weight of 0 to 1 for each row and frequency:  shares[k] * exp(-rates[k] * variances[row]).
struct WaveWeights {
    Frequencies shares;
    Frequencies rates;    ///< at least 0
    Positions variances;  ///< at least 0
};

/// The waves along one axis of points:
///     table[row, channel] = weight(row, k) * function(coordinates.at(row) * frequencies[k]),
/// for the function and the frequency that the layout gives the channel; the other channels are 0.
struct AxisWaves {
    Coordinates coordinates;
    Frequencies frequencies;
    ChannelLayout layout;
    std::optional<WaveWeights> weights{};  ///< nothing: all weights are 1
};

/// Returns the waves of one axis.  Shape: (coordinates.size(), layout.channels).
///
/// Max error: 0.5 ULP. `dtype` is float32, float64, float16 or bfloat16. Values of float64 with a
/// weight between 0 and 1 take microseconds each if joint_wave_rows() cannot make them.
/// Precondition: coordinates.largest() * frequencies.largest() <= largest_angle.
Rows axis_wave_rows(AxisWaves axis, DType dtype);

/// Returns the waves of all axes, which is quicker than to make them one after the other. Returns
/// nothing for few points without weights, for coordinates between two ends and for large angles.
/// Precondition: as of axis_wave_rows(); no channel belongs to two axes; weights have all or none.
std::optional<Rows> joint_wave_rows(const std::vector<AxisWaves>& axes, DType dtype);

}  // namespace pegen::numerics

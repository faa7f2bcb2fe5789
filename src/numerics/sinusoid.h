#pragma once

#include <cstdint>
#include <vector>

#include "core/dtype.h"
#include "core/positions.h"
#include "core/table.h"
#include "numerics/frequencies.h"

namespace pegen::numerics {

enum class Function { sin, cos };

/// Channels that hold one function of evenly spaced frequencies: for i = 0 ... count - 1, channel
/// first_channel + i * channel_stride  holds  function(position * frequency[first_frequency +
/// i * frequency_stride]).  Interleaved sin and cos are two runs of stride 2, halves two of 1.
struct ChannelRun {
    Function function;
    std::int64_t first_channel;
    std::int64_t channel_stride;
    std::int64_t first_frequency;
    std::int64_t frequency_stride;
    std::int64_t count;
};

/// Where the values of a row are put: the layout of a table, as data.
struct ChannelLayout {
    std::int64_t channels;         ///< columns of the table; those in no run are 0
    std::vector<ChannelRun> runs;  ///< do not overlap
};

/// Angles beyond this have no meaning left: |position * frequency|, in radians.
inline constexpr double largest_angle = 0x1p100;

/// table[row, channel] = out_scale * function(positions[row] * frequency), in radians.
/// Shape: (positions.size(), layout.channels), axes (position, channel).
///
/// Max error: 0.5 ULP (correctly rounded), of the exact product of the position and the frequency;
/// `dtype` is float32, float64, float16 or bfloat16. Source: docs/numerics.md.
/// Precondition: positions.largest() * frequencies.largest() <= largest_angle.
RowSource sinusoid_rows(Positions positions, Frequencies frequencies, ChannelLayout layout,
                        double out_scale, DType dtype);

}  // namespace pegen::numerics

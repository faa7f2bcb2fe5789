#pragma once

#include "core/dtype.h"
#include "core/positions.h"
#include "core/table.h"
#include "numerics/channel_layout.h"
#include "numerics/frequencies.h"

namespace pegen::numerics {

/// The largest allowed |position * frequency|, in radians.
inline constexpr double largest_angle = 0x1p100;

/// Returns the rows of  table[row, channel] = out_scale * function(positions[row] * frequency),
/// angles in radians.  Shape: (positions.size(), layout.channels), axes (position, channel).
///
/// Max error: 0.5 ULP, i.e. every value is correctly rounded, where the angle is the exact product.
/// `dtype` is float32, float64, float16 or bfloat16. Source: docs/numerics.md.
/// Precondition: positions.largest() * frequencies.largest() <= largest_angle.
Rows sinusoid_rows(Positions positions, Frequencies frequencies, ChannelLayout layout,
                   double out_scale, DType dtype);

/// Returns the rows of  table[row, k] = positions[row] * frequency[k], each correctly rounded.
/// Shape: (positions.size(), frequencies.size()), axes (position, frequency).
/// `dtype` is float32, float64, float16 or bfloat16.
Rows angle_rows(Positions positions, Frequencies frequencies, DType dtype);

}  // namespace pegen::numerics

#pragma once

#include "encodings/encoding.h"

namespace pegen::encodings {

/// Sines and cosines over the indices of a grid of two or three axes: y and x, or t, y and x.
///
///     omega_a[k]            = freq_scale * base_a^(-2 k / (d_a - denom_shift))
///     PE[token, (a, k, f)]  = out_scale * f((start_a + step_a * i_a) * omega_a[k])
///
/// i_a is the token's index on axis a, counted from 0, d_a the axis's share of the d channels,
/// k = 0 ... d_a / 2 - 1. The exponent of k = 0 is 0 even where the denominator is not positive.
/// Channel (a, k, f) is its rank in the nesting --order, slowest first; the axes count in the order
/// --axes, the functions in that of --first. An order that does not begin with a needs equal d_a.
/// With --odd zero-pad d_a is the next even number below its share, and channels of zeros are left
/// at the end; with round-up the next above, and the last channels are left out.
///
/// Shape, by --view:  tokens (prefix_rows + tokens, d), axes (token, channel), x running fastest,
/// or y with --tokens column, t always slowest;  grid ([depth,] height, width, d);  channels-first
/// (d, [depth,] height, width).
/// Correctly rounded. Lists of parameters are in the order depth, height, width.
extern const Encoding grid;

}  // namespace pegen::encodings

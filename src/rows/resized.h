#pragma once

#include <array>

#include "core/table.h"
#include "numerics/interpolation.h"

namespace pegen::rows {

/// Returns a row for each point of the resized grid: the sum of the rows of `x` weighted by the
/// weights of both axes, see numerics::weights_of(), rounded once to `dtype`. `x` has a row for
/// each point of a grid (axes[0].from, axes[1].from), in C order. A value that is a single input is
/// copied. Where an input with a weight is not finite, the sum is that of doubles. The weights are
/// computed now, by all threads; `x` is kept if it has at most 2^25 values.
/// Precondition: as weights_of(); `x` and `dtype` are floating.
Rows resized(const Rows& x, const std::array<numerics::Interpolation, 2>& axes, DType dtype);

}  // namespace pegen::rows

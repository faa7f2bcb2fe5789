#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/double_double.h"
#include "core/dtype.h"
#include "core/positions.h"
#include "core/table.h"
#include "numerics/channel_layout.h"
#include "numerics/real.h"

// Waves at any positions, in a dtype narrower than float64: each angle is reduced by itself, which
// is quicker than rotations where the positions have nothing in common.
namespace pegen::numerics {

/// Frequencies as double-doubles, with the high and the low halves in separate arrays.
struct SplitFrequencies {
    std::vector<double> high;
    std::vector<double> low;
};

SplitFrequencies split(const std::vector<Real>& frequencies);

/// One axis of the points: point `row` has positions[row / stride % positions.size()].
struct DirectAxis {
    std::shared_ptr<const Positions> positions;
    std::int64_t stride;
    SplitFrequencies frequencies;
};

/// A function that returns a double whose rounding to the dtype is the exact value, rounded once.
using ExactWave = std::function<double(Function, std::int64_t row, std::size_t k)>;

/// True if direct_wave_rows() can make tables of this dtype, whose largest angle is `largest` and
/// whose points have `axes` axes.
bool is_direct(DType dtype, double largest, std::size_t axes);

/// Returns the rows of
///     table[row, channel] = function(sum of  position(row, axis) * frequencies[axis][k]).
///
/// Max error: 0.5 ULP. Values are computed in doubles to within 2^-51; the values whose rounding is
/// then in doubt, one in millions, come from `exact`. Source: docs/numerics.md.
/// Shape: (points, layout.channels).
/// Precondition: is_direct(), and all axes have the same number of frequencies.
Rows direct_wave_rows(std::vector<DirectAxis> axes, std::int64_t points, ChannelLayout layout,
                      DType dtype, ExactWave exact);

}  // namespace pegen::numerics

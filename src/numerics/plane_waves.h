#pragma once

#include <cstdint>
#include <vector>

#include "core/dtype.h"
#include "core/table.h"
#include "numerics/channel_layout.h"
#include "numerics/coordinates.h"
#include "numerics/frequencies.h"

namespace pegen::numerics {

/// One axis of points. Point `row` has the coordinate number row / stride % coordinates.size(): the
/// axes of a grid have strides, the axes of a list of points have stride 1, and an axis of one
/// coordinate is the same for all points.
struct PointAxis {
    Coordinates coordinates;
    std::int64_t stride;

    std::int64_t index(std::int64_t row) const { return row / stride % coordinates.size(); }
};

/// One axis of the points that plane waves are taken at.
struct WaveAxis : PointAxis {
    Frequencies weights;  ///< the weight of each wave
};

/// Returns the number of points: the points at which the slowest axis has had each coordinate once.
std::int64_t points_of(const std::vector<WaveAxis>& axes);

/// Returns the angle that a step of one position adds to each wave, times `factor`.
Frequencies per_position(const WaveAxis& axis, double factor);

/// Returns weights that are exactly these numbers.
Frequencies exactly(std::vector<double> numbers);

/// Returns the rows of
///     table[row, channel] = function(factor * sum of  coordinate(row, axis) * weights[axis][k]),
/// the sum over all axes, for the wave k that the layout gives the channel.
///
/// Max error: 0.5 ULP, i.e. every value is correctly rounded, where the angle is the exact sum.
/// `dtype` is float32, float64, float16 or bfloat16.
/// Shape: (points_of(axes), layout.channels).
/// Precondition: at least one axis, all with the same number of weights, which are doubles if there
/// are several axes; no angle beyond largest_angle.
Rows plane_wave_rows(std::vector<WaveAxis> axes, double factor, ChannelLayout layout, DType dtype);

/// Returns a bound of the magnitude of the angles of plane_wave_rows().
double largest_angle_of(const std::vector<WaveAxis>& axes, double factor);

}  // namespace pegen::numerics

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/dtype.h"
#include "core/positions.h"
#include "core/table.h"
#include "numerics/channel_layout.h"
#include "numerics/frequencies.h"
#include "numerics/real.h"

namespace pegen::numerics {

/// Coordinates along an axis, each an exact number. The coordinates of a grid take no memory,
/// however many there are. Copies share a list.
class Coordinates {
  public:
    /// Makes the coordinates  positions[i] * unit / divisor. Precondition: the divisor is positive.
    explicit Coordinates(Positions positions, double unit = 1, double divisor = 1);

    /// Returns n = `count` coordinates from `low` to `high`, both included: (low * (n - 1 - i) +
    /// high * i) / (n - 1); `low` if n is 1.
    static Coordinates between(double low, double high, std::int64_t count);

    std::int64_t size() const { return positions_.size(); }

    /// Returns coordinate i, with the bits of Precision, off by at most rounding_errors() of
    /// itself.
    Real at(std::int64_t i) const { return numerator(i) / divisor_; }

    /// Returns a double whose rounding to `dtype` is coordinate i rounded once.
    double for_rounding_to(DType dtype, std::int64_t i) const;

    /// Returns the largest |coordinate|, rounded to a double.
    double largest() const;

    // Coordinate i is numerator(i) / divisor(), and it is origin() + positions()[i] * step().

    Real numerator(std::int64_t i) const;
    double divisor() const { return divisor_; }

    const Positions& positions() const { return positions_; }
    double unit() const { return unit_; }
    Real step() const;
    bool has_origin() const { return ends_.has_value(); }
    double origin() const { return ends_ ? ends_->low : 0; }
    /// Returns the last coordinate if there is an origin, else 0.
    double end() const { return ends_ ? ends_->high : 0; }

  private:
    /// The first and the last coordinate, where the coordinates between them cannot be kept as
    /// whole multiples of a unit.
    struct Ends {
        double low;
        double high;
    };

    Positions positions_;
    double unit_;
    double divisor_;
    std::optional<Ends> ends_;
};

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

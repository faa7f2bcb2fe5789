#pragma once

#include <cstdint>
#include <optional>

#include "core/dtype.h"
#include "core/positions.h"
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

}  // namespace pegen::numerics

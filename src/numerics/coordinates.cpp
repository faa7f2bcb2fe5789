#include "numerics/coordinates.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numerics/rounding.h"
#include "numerics/ziv_loop.h"

namespace pegen::numerics {
namespace {

/// Returns the largest number of which both `a` and `b` are whole multiples; 1 if both are 0.
double common_unit(double a, double b) {
    a = std::fabs(a);
    b = std::fabs(b);
    while (b != 0) a = std::exchange(b, std::fmod(a, b));
    return a == 0 ? 1 : a;
}

}  // namespace

Coordinates::Coordinates(Positions positions, double unit, double divisor)
    : positions_(std::move(positions)), unit_(unit), divisor_(divisor) {}

Coordinates Coordinates::between(double low, double high, std::int64_t count) {
    if (count == 1) return Coordinates(Positions(low, 0, 1));
    const auto last = static_cast<double>(count - 1);
    const double unit = common_unit(low, high);
    const double first = low / unit, end = high / unit;  // whole numbers
    if (std::max(std::fabs(first), std::fabs(end)) * last < 0x1p52) {
        return Coordinates(Positions(first * last, end - first, count), unit, last);
    }
    Coordinates coordinates(Positions(0, 1, count), 1, last);
    coordinates.ends_ = Ends{low, high};
    return coordinates;
}

Real Coordinates::numerator(std::int64_t i) const {
    const double position = positions_[i];
    if (!ends_) return Real(position) * unit_;
    // Both products are exact, so the sum is rounded once, however much cancels.
    return Real(ends_->low) * (divisor_ - position) + Real(ends_->high) * position;
}

Real Coordinates::step() const {
    return (ends_ ? Real(ends_->high) - ends_->low : Real(unit_)) / divisor_;
}

double Coordinates::for_rounding_to(DType dtype, std::int64_t i) const {
    if (ends_ || unit_ != 1) return ziv_loop(dtype, Midpoints::possible, [&] { return at(i); });
    const double position = positions_[i];
    return std::copysign(quotient_for(dtype, std::fabs(position), divisor_), position);
}

double Coordinates::largest() const {
    if (!positions_.progression()) return positions_.largest() * std::fabs(unit_) / divisor_;
    return std::max(std::fabs(for_rounding_to(DType::float64, 0)),
                    std::fabs(for_rounding_to(DType::float64, size() - 1)));
}

}  // namespace pegen::numerics

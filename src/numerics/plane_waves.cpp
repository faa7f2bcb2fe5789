#include "numerics/plane_waves.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "core/parallel.h"
#include "numerics/direct_waves.h"
#include "numerics/exact.h"
#include "numerics/floating_point.h"
#include "numerics/rotations.h"
#include "numerics/rounding.h"
#include "numerics/row_plan.h"
#include "numerics/sinusoid.h"
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

namespace {

/// Returns the angle of each wave for one unit along the axis: its weight times unit() times
/// `factor`.
template <class Unit>
Frequencies weighted(const WaveAxis& axis, double factor, const Unit& unit) {
    return Frequencies([=, weights = axis.weights] {
        const Real scale = unit() * factor;
        std::vector<Real> frequencies;
        frequencies.reserve(weights.size());
        for (const Real& weight : weights.reals()) frequencies.push_back(weight * scale);
        return frequencies;
    });
}

/// Returns the angle of each wave at position 0.
Frequencies origins_of(const WaveAxis& axis, double factor) {
    return weighted(axis, factor, [origin = axis.coordinates.origin()] { return Real(origin); });
}

/// The rotations of the waves along one axis, kept for every position if there are few positions.
/// An origin adds 2^-101 to the error of the rotations, for which the kernel's bound has room.
class AxisRotations {
  public:
    AxisRotations(const WaveAxis& axis, double factor)
        : ladder_(axis.coordinates.positions(), per_position(axis, factor)) {
        if (axis.coordinates.has_origin()) {
            origin_ = exact_rotations(origins_of(axis, factor), 1, 0, 1).front();
        }
        if (!can_be_kept(axis)) return;
        const std::int64_t count = axis.coordinates.size();
        kept_.assign(count, Rotations(0));
        parallel_for(count,
                     [&](std::int64_t i) { kept_[i] = made_at(axis.coordinates.positions()[i]); });
    }

    static bool can_be_kept(const WaveAxis& axis) {
        constexpr std::int64_t most_bytes = 1 << 24, bytes_of_rotation = sizeof(Rotation);
        return axis.coordinates.size() <=
               most_bytes / (bytes_of_rotation * std::max<std::int64_t>(axis.weights.size(), 1));
    }

    /// Returns the rotations of the coordinate of a row; puts them into `made` if they are not
    /// kept.
    const Rotations& at(const WaveAxis& axis, std::int64_t row,
                        std::optional<Rotations>& made) const {
        const std::int64_t index = axis.index(row);
        if (!kept_.empty()) return kept_[index];
        made = made_at(axis.coordinates.positions()[index]);
        return *made;
    }

  private:
    Rotations made_at(double position) const {
        return origin_ ? product(*origin_, ladder_.at(position)) : ladder_.at(position);
    }

    Ladder ladder_;
    std::optional<Rotations> origin_;
    std::vector<Rotations> kept_;
};

/// The data that rows are made from. Never changed, so threads share it.
struct Waves {
    std::vector<WaveAxis> axes;  ///< the axis that changes most often is the last
    double factor;
    ChannelLayout layout;
    DType dtype;
    std::vector<AxisRotations> rotations;  ///< one for each axis; empty: MPFR computes every value

    std::int64_t count() const { return axes.front().weights.size(); }

    /// Returns a bound of the error of the product of all rotations, as a multiple of the error of
    /// a product of two, for which the kernel is made.
    double error_scale() const { return std::max(1.0, static_cast<double>(axes.size()) / 2); }
};

/// Returns the exact sum over all axes of coordinate * weight, times the divisors of all axes.
Real exact_numerator(const Waves& waves, std::int64_t row, std::size_t k) {
    // A coordinate and a weight have some 200 bits, and their exponents may differ by 4000.
    const Precision precision(mpfr_prec_t{1} << 13);
    Real total = 0;
    for (const WaveAxis& axis : waves.axes) {
        Real summand = axis.coordinates.numerator(axis.index(row)) * axis.weights.reals()[k];
        for (const WaveAxis& other : waves.axes) {
            if (&other != &axis) summand = summand * other.coordinates.divisor();
        }
        total = total + summand;
    }
    return total;
}

/// Returns a double whose rounding to the dtype is the exact value, rounded once.
double exact_double(const Waves& waves, Function function, std::int64_t row, std::size_t k) {
    const WaveAxis& first = waves.axes.front();
    if (waves.axes.size() == 1) {
        const auto angle = [&] {
            return first.coordinates.at(first.index(row)) * first.weights.reals()[k] * waves.factor;
        };
        return exact_wave(function, angle, 1, waves.dtype);
    }
    const Real numerator = exact_numerator(waves, row, k);
    const auto angle = [&] {
        Real quotient = numerator * waves.factor;
        for (const WaveAxis& axis : waves.axes) quotient = quotient / axis.coordinates.divisor();
        return quotient;
    };
    return exact_wave(function, angle, 1, waves.dtype);
}

template <class T>
T exact(const Waves& waves, Function function, std::int64_t row, std::size_t k) {
    return round_to<T>(exact_double(waves, function, row, k));
}

/// Sets each value of the channels to value(function, k).
template <class T, class Value>
void set_each(const Waves& waves, const Channels<T>& channels, const Value& value) {
    for (const auto& [function, out] : {channels.first, channels.second}) {
        if (!out) continue;
        for (std::int64_t k = 0; k < waves.count(); ++k) {
            out[k * channels.stride] = value(function, k);
        }
    }
}

template <class T>
void evaluate(const Waves& waves, std::int64_t row, const Rotations& base, const Rotations& step,
              const Channels<T>& channels) {
    const double scale = waves.error_scale();
    if (rotate(base, step, scale, channels)) return;
    set_each(waves, channels, [&](Function function, std::size_t k) {
        const auto [value, error] = estimate(function, base, step, k, scale);
        const Rounded<T> rounded = round_certainly<T>(value, error);
        return rounded.is_certain ? rounded.value : exact<T>(waves, function, row, k);
    });
}

/// The product of the rotations of all axes but the last, which neighbouring rows often share;
/// rotations by 0 if there is only one axis.
class SlowAxes {
  public:
    const Rotations& at(const Waves& waves, std::int64_t row) {
        std::vector<double> positions;
        for (std::size_t a = 0; a + 1 < waves.axes.size(); ++a) {
            const WaveAxis& axis = waves.axes[a];
            positions.push_back(axis.coordinates.positions()[axis.index(row)]);
        }
        if (product_ && positions == positions_) return *product_;
        std::optional<Rotations> made;
        product_.reset();
        for (std::size_t a = 0; a + 1 < waves.axes.size(); ++a) {
            const Rotations& rotations = waves.rotations[a].at(waves.axes[a], row, made);
            product_ = product_ ? product(*product_, rotations) : rotations;
        }
        if (!product_) product_ = identity(waves.count());
        positions_ = std::move(positions);
        return *product_;
    }

  private:
    std::vector<double> positions_;
    std::optional<Rotations> product_;
};

template <class T>
void fill(const Waves& waves, RowRange range, std::span<std::byte> out) {
    std::ranges::fill(out, std::byte{});
    std::vector<PlacedRun<T>> runs;
    for (const ChannelRun& run : waves.layout.runs) {
        runs.push_back({run, reinterpret_cast<T*>(out.data()), waves.layout.channels});
    }
    RowPlan<T> plan(waves.count(), runs);
    SlowAxes slow;
    std::optional<Rotations> made;
    for (std::int64_t i = 0; i < range.count; ++i) {
        const std::int64_t row = range.first + i;
        if (waves.rotations.empty()) {
            plan.fill(i, [&](const Channels<T>& channels) {
                set_each(waves, channels, [&](Function function, std::size_t k) {
                    return exact<T>(waves, function, row, k);
                });
            });
            continue;
        }
        const Rotations& base = slow.at(waves, row);
        const Rotations& step = waves.rotations.back().at(waves.axes.back(), row, made);
        plan.fill(i,
                  [&](const Channels<T>& channels) { evaluate(waves, row, base, step, channels); });
    }
}

/// True if the rotations of an axis could not be kept, and direct_wave_rows(), which needs none,
/// can make the waves.
bool is_better_direct(const Waves& waves) {
    const double largest = largest_angle_of(waves.axes, waves.factor);
    const auto is_moderate = [&](const WaveAxis& axis) {
        return are_moderate(axis.coordinates.positions(),
                            per_position(axis, waves.factor).reals()) &&
               are_moderate(origins_of(axis, waves.factor).reals());
    };
    return is_direct(largest, waves.axes.size()) && std::ranges::all_of(waves.axes, is_moderate) &&
           std::ranges::any_of(waves.axes, [&](const WaveAxis& axis) {
               const Coordinates& along = axis.coordinates;
               return !AxisRotations::can_be_kept(axis) &&
                      (along.has_origin() || !along.positions().progression());
           });
}

Rows direct_rows(Waves waves) {
    const std::int64_t points = points_of(waves.axes);
    const auto count = static_cast<std::size_t>(waves.count());
    const auto shared = std::make_shared<const Waves>(std::move(waves));
    DirectWaves direct{.summands = {},
                       .layout = shared->layout,
                       .exact = [shared](Function function, std::int64_t row, std::size_t k) {
                           return exact_double(*shared, function, row, k);
                       }};
    for (const WaveAxis& axis : shared->axes) {
        const Positions& positions = axis.coordinates.positions();
        direct.summands.push_back(
            {{{std::shared_ptr<const Positions>(shared, &positions), axis.stride, count}},
             split(per_position(axis, shared->factor).reals())});
        if (!axis.coordinates.has_origin()) continue;
        direct.summands.push_back({{{std::make_shared<const Positions>(1, 0, 1), 1, count}},
                                   split(origins_of(axis, shared->factor).reals())});
    }
    return direct_wave_rows(std::move(direct), points, shared->dtype);
}

}  // namespace

Frequencies per_position(const WaveAxis& axis, double factor) {
    return weighted(axis, factor, [coordinates = axis.coordinates] { return coordinates.step(); });
}

std::int64_t points_of(const std::vector<WaveAxis>& axes) {
    std::int64_t points = 1;
    for (const WaveAxis& axis : axes) {
        points = std::max(points, axis.stride * axis.coordinates.size());
    }
    return points;
}

Frequencies exactly(std::vector<double> numbers) {
    return Frequencies([numbers = std::move(numbers)] {
        return std::vector<Real>(numbers.begin(), numbers.end());
    });
}

Rows plane_wave_rows(std::vector<WaveAxis> axes, double factor, ChannelLayout layout, DType dtype) {
    const WaveAxis& first = axes.front();
    if (axes.size() == 1 && first.stride == 1 && !first.coordinates.has_origin()) {
        return sinusoid_rows(first.coordinates.positions(), per_position(first, factor),
                             std::move(layout), 1.0, dtype);
    }
    const DefaultFloatingPoint arithmetic;
    // An axis of one coordinate never changes, whatever its stride.
    const auto changes_less = [](const WaveAxis& a, const WaveAxis& b) {
        const bool is_fixed = a.coordinates.size() == 1;
        const bool other_is_fixed = b.coordinates.size() == 1;
        return is_fixed != other_is_fixed ? is_fixed : a.stride > b.stride;
    };
    std::ranges::stable_sort(axes, changes_less);
    Waves waves{std::move(axes), factor, std::move(layout), dtype, {}};
    if (is_better_direct(waves)) return direct_rows(std::move(waves));
    const auto fits = [](const WaveAxis& axis) {
        return Ladder::fits(axis.coordinates.positions());
    };
    if (std::ranges::all_of(waves.axes, fits)) {
        for (const WaveAxis& axis : waves.axes) waves.rotations.emplace_back(axis, factor);
    }
    const std::int64_t points = points_of(waves.axes), channels = waves.layout.channels;
    return floating_rows(points, channels, dtype,
                         [shared = std::make_shared<const Waves>(std::move(waves))]<class T>(
                             std::type_identity<T>, RowRange range, std::span<std::byte> out) {
                             fill<T>(*shared, range, out);
                         });
}

double largest_angle_of(const std::vector<WaveAxis>& axes, double factor) {
    std::vector<double> angles(axes.front().weights.size());
    for (const WaveAxis& axis : axes) {
        const double farthest = axis.coordinates.largest();
        for (std::size_t k = 0; k < angles.size(); ++k) {
            angles[k] += farthest * std::fabs(nearest_double(axis.weights.reals()[k]));
        }
    }
    return std::ranges::max(angles) * std::fabs(factor);
}

}  // namespace pegen::numerics

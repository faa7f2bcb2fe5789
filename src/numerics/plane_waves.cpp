#include "numerics/plane_waves.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "core/parallel.h"
#include "core/to_size.h"
#include "numerics/certain.h"
#include "numerics/direct_waves.h"
#include "numerics/exact.h"
#include "numerics/floating_point.h"
#include "numerics/floating_type.h"
#include "numerics/ladder.h"
#include "numerics/row_plan.h"
#include "numerics/sinusoid.h"

namespace pegen::numerics {
namespace {

/// The angle that a step of one position adds to each wave.
Frequencies frequencies_of(const WaveAxis& axis, double factor) {
    return Frequencies([weights = axis.weights, factor, divisor = axis.divisor] {
        std::vector<Real> frequencies;
        frequencies.reserve(weights.size());
        for (const double weight : weights) {
            frequencies.push_back(Real(weight) * factor / divisor);
        }
        return frequencies;
    });
}

/// The rotations of the waves along one axis: kept for every position if there are few.
class AxisRotations {
  public:
    AxisRotations(const WaveAxis& axis, double factor)
        : ladder_(axis.positions, frequencies_of(axis, factor)) {
        if (!can_be_kept(axis)) return;
        const std::int64_t count = axis.positions.size();
        kept_.assign(to_size(count), Rotations(0));
        parallel_for(count, [&](std::int64_t i) {
            const DefaultFloatingPoint arithmetic_of_thread;
            kept_[to_size(i)] = ladder_.at(axis.positions[i]);
        });
    }

    static bool can_be_kept(const WaveAxis& axis) {
        constexpr std::size_t most_bytes = std::size_t{1} << 24;
        return to_size(axis.positions.size()) <=
               most_bytes / (sizeof(Rotation) * axis.weights.size());
    }

    /// Returns the rotations of a position; in `made` if they are not kept.
    const Rotations& at(const WaveAxis& axis, std::int64_t row,
                        std::optional<Rotations>& made) const {
        const std::int64_t index = row / axis.stride % axis.positions.size();
        if (!kept_.empty()) return kept_[to_size(index)];
        made = ladder_.at(axis.positions[index]);
        return *made;
    }

  private:
    Ladder ladder_;
    std::vector<Rotations> kept_;
};

/// All that rows are made from. Never changed, so threads share it.
struct Waves {
    std::vector<WaveAxis> axes;  ///< the one that changes most often last
    double factor;
    ChannelLayout layout;
    DType dtype;
    std::vector<AxisRotations> rotations;  ///< of each axis; none: every value by MPFR

    std::size_t count() const { return axes.front().weights.size(); }

    /// How many times the error of a product of two rotations, for which the kernel is made, the
    /// product of all may be off by.
    double error_scale() const { return std::max(1.0, static_cast<double>(axes.size()) / 2); }
};

/// Returns the sum times the divisors of all axes, exactly.
Real exact_numerator(const Waves& waves, std::int64_t row, std::size_t k) {
    // A coordinate and a weight have some 200 bits, and their exponents may differ by 4000.
    const Precision precision(mpfr_prec_t{1} << 13);
    Real total = 0;
    for (const WaveAxis& axis : waves.axes) {
        Real summand = Real(axis.position(row)) * axis.weights[k];
        for (const WaveAxis& other : waves.axes) {
            if (&other != &axis) summand = summand * other.divisor;
        }
        total = total + summand;
    }
    return total;
}

/// Returns a double whose rounding to the dtype is the exact value, rounded once.
double exact_double(const Waves& waves, Function function, std::int64_t row, std::size_t k) {
    const Real numerator = exact_numerator(waves, row, k);
    const auto angle = [&] {
        Real quotient = numerator * waves.factor;
        for (const WaveAxis& axis : waves.axes) quotient = quotient / axis.divisor;
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
        for (std::size_t k = 0; k < waves.count(); ++k) {
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

/// The product of the rotations of all axes but the last, which neighbouring rows often share.
class SlowAxes {
  public:
    const Rotations& at(const Waves& waves, std::int64_t row) {
        std::vector<double> positions;
        for (std::size_t a = 0; a + 1 < waves.axes.size(); ++a) {
            positions.push_back(waves.axes[a].position(row));
        }
        if (product_ && positions == positions_) return *product_;
        std::optional<Rotations> made;
        product_ = waves.rotations.front().at(waves.axes.front(), row, made);
        for (std::size_t a = 1; a + 1 < waves.axes.size(); ++a) {
            product_ = product(*product_, waves.rotations[a].at(waves.axes[a], row, made));
        }
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
    RowPlan<T> plan(static_cast<std::int64_t>(waves.count()), runs);
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

/// True if the rotations of an axis could not be kept, and the waves need none.
bool is_better_direct(const Waves& waves) {
    const double largest = largest_angle_of(waves.axes, waves.factor);
    return is_direct(waves.dtype, largest, waves.axes.size()) &&
           std::ranges::any_of(waves.axes, [&](const WaveAxis& axis) {
               return !AxisRotations::can_be_kept(axis) && !axis.positions.progression();
           });
}

RowSource direct_rows(Waves waves) {
    const auto shared = std::make_shared<const Waves>(std::move(waves));
    std::vector<DirectAxis> axes;
    for (const WaveAxis& axis : shared->axes) {
        axes.push_back({std::shared_ptr<const Positions>(shared, &axis.positions), axis.stride,
                        split(frequencies_of(axis, shared->factor).reals())});
    }
    return direct_wave_rows(std::move(axes), shared->layout, shared->dtype,
                            [shared](Function function, std::int64_t row, std::size_t k) {
                                return exact_double(*shared, function, row, k);
                            });
}

}  // namespace

RowSource plane_wave_rows(std::vector<WaveAxis> axes, double factor, ChannelLayout layout,
                          DType dtype) {
    if (axes.size() == 1 && axes.front().stride == 1) {
        Frequencies frequencies = frequencies_of(axes.front(), factor);
        return sinusoid_rows(std::move(axes.front().positions), std::move(frequencies),
                             std::move(layout), 1.0, dtype);
    }
    const DefaultFloatingPoint arithmetic;
    // One position is not a change, whatever the stride.
    const auto changes_less = [](const WaveAxis& a, const WaveAxis& b) {
        const bool is_fixed = a.positions.size() == 1, other_is_fixed = b.positions.size() == 1;
        return is_fixed != other_is_fixed ? is_fixed : a.stride > b.stride;
    };
    std::ranges::stable_sort(axes, changes_less);
    // With an axis before it, the last one is a step from the product of the others.
    if (axes.size() == 1) {
        axes.insert(axes.begin(),
                    {Positions(0, 0, 1), 1, 1, std::vector<double>(axes.front().weights.size())});
    }
    Waves waves{std::move(axes), factor, std::move(layout), dtype, {}};
    if (is_better_direct(waves)) return direct_rows(std::move(waves));
    const auto fits = [](const WaveAxis& axis) { return Ladder::fits(axis.positions); };
    if (std::ranges::all_of(waves.axes, fits)) {
        for (const WaveAxis& axis : waves.axes) waves.rotations.emplace_back(axis, factor);
    }
    return [shared = std::make_shared<const Waves>(std::move(waves))](RowRange range,
                                                                      std::span<std::byte> out) {
        const DefaultFloatingPoint arithmetic_of_thread;
        with_floating_type(shared->dtype,
                           [&]<class T>(std::type_identity<T>) { fill<T>(*shared, range, out); });
    };
}

double largest_angle_of(const std::vector<WaveAxis>& axes, double factor) {
    std::vector<double> angles(axes.front().weights.size());
    for (const WaveAxis& axis : axes) {
        const double farthest = axis.positions.largest() / axis.divisor;
        for (std::size_t k = 0; k < angles.size(); ++k) {
            angles[k] += farthest * std::fabs(axis.weights[k]);
        }
    }
    return std::ranges::max(angles) * std::fabs(factor);
}

}  // namespace pegen::numerics

#include "numerics/interpolation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "numerics/ziv_loop.h"

namespace pegen::numerics {
namespace {

Real whole(std::int64_t number) { return static_cast<double>(number); }

std::int64_t floor_of(const Real& value) {
    return static_cast<std::int64_t>(nearest_double(floor(value)));
}

/// Returns the weights of inputs `first`, first + 1, ..., where an input before the first or behind
/// the last one is that one.
Weights within(std::int64_t from, std::int64_t first, std::span<const Real> values) {
    const auto clamped = [=](std::int64_t place) {
        return std::clamp<std::int64_t>(place, 0, from - 1);
    };
    const std::int64_t count = std::ssize(values), begin = clamped(first);
    Weights weights{begin, std::vector<Real>(clamped(first + count - 1) - begin + 1, Real(0))};
    for (std::int64_t i = 0; i < count; ++i) {
        Real& weight = weights.values[clamped(first + i) - begin];
        weight = weight + values[i];
    }
    return weights;
}

Weights single(std::int64_t input) { return {input, {Real(1)}}; }

/// Returns the number of inputs per output.
Real step_of(const Interpolation& how) {
    if (how.has_aligned_corners) {
        return how.to == 1 ? Real(0) : whole(how.from - 1) / whole(how.to - 1);
    }
    return how.scale > 0 ? Real(1 / how.scale) : whole(how.from) / whole(how.to);
}

/// Returns the place of an output among the inputs. A whole place has no rounding error.
Real place_of(const Interpolation& how, std::int64_t index) {
    if (how.has_aligned_corners) {
        return how.to == 1 ? Real(0) : whole(index) * whole(how.from - 1) / whole(how.to - 1);
    }
    if (how.scale > 0) return step_of(how) * (whole(index) + 0.5) - 0.5;
    return (whole(2 * index + 1) * whole(how.from) - whole(how.to)) / whole(2 * how.to);
}

Weights nearest(const Interpolation& how, std::int64_t index) {
    const float step = how.scale > 0 ? static_cast<float>(1 / how.scale)
                                     : static_cast<float>(how.from) / static_cast<float>(how.to);
    const bool is_exact = how.kernel == Kernel::nearest_exact;
    const float place = is_exact
                            ? static_cast<float>((static_cast<double>(index) + 0.5) * double{step})
                            : static_cast<float>(index) * step;
    return single(std::min(static_cast<std::int64_t>(std::floor(place)), how.from - 1));
}

/// Returns Keys' kernel at `x`.
Real keys(const Real& a, Real x) {
    x = abs(x);
    if (x < 1.0) return ((a + 2) * x - (a + 3)) * x * x + 1;
    if (x < 2.0) return ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a;
    return 0;
}

Real kernel_at(const Interpolation& how, const Real& x) {
    if (how.kernel == Kernel::cubic) return keys(how.cubic, x);
    const Real distance = abs(x);
    return distance < 1.0 ? 1.0 - distance : 0.0;
}

Weights antialiased(const Interpolation& how, std::int64_t index) {
    const Real step = step_of(how);
    const Real widening = step < 1.0 ? Real(1) : step;
    const Real radius = (how.kernel == Kernel::cubic ? 2.0 : 1.0) * widening;
    // The middle of an output, as in Pillow and PyTorch, even if corners are aligned.
    const Real middle = step * (whole(index) + 0.5);
    const std::int64_t first = std::max<std::int64_t>(floor_of(middle - radius + 0.5), 0);
    const std::int64_t end = std::min(floor_of(middle + radius + 0.5), how.from);
    Weights weights{first, {}};
    Real total = 0;
    for (std::int64_t input = first; input < end; ++input) {
        weights.values.push_back(kernel_at(how, (whole(input) + 0.5 - middle) / widening));
        total = total + weights.values.back();
    }
    for (Real& weight : weights.values) weight = weight / total;
    return weights;
}

Weights convolved(const Interpolation& how, std::int64_t index) {
    if (how.is_antialiased) return antialiased(how, index);
    // PyTorch copies them, whatever the scale.
    if (how.kernel == Kernel::linear && how.from == how.to) return single(index);
    const std::int64_t reach = how.kernel == Kernel::cubic ? 2 : 1;
    Real place = place_of(how, index);
    if (how.kernel == Kernel::linear && place < 0.0) place = 0;
    const std::int64_t before = floor_of(place);
    std::vector<Real> values;
    for (std::int64_t input = before - reach + 1; input <= before + reach; ++input) {
        values.push_back(kernel_at(how, place - whole(input)));
    }
    return within(how.from, before - reach + 1, values);
}

Weights mean(const Interpolation& how, std::int64_t index) {
    const std::int64_t first = index * how.from / how.to;
    const std::int64_t end = ((index + 1) * how.from + how.to - 1) / how.to;
    return {first, std::vector<Real>(end - first, whole(1) / whole(end - first))};
}

/// Returns the places of the inputs, the doubles that BEiT computes.
std::vector<Real> geometric_places(std::int64_t from, std::int64_t to) {
    const std::int64_t half = from / 2;
    const auto power = [](double q, std::int64_t exponent) {
        return nearest_double(pow(Real(q), whole(exponent)));
    };
    double left = 1.01, right = 1.5, q = 0;
    while (right - left > 1e-6) {
        q = (left + right) / 2;
        const double last = (1 - power(q, half)) / (1 - q);
        (last > static_cast<double>(to / 2) ? right : left) = q;
    }
    std::vector<Real> places(from, Real(0));
    double place = 1;
    for (std::int64_t k = 1; k <= half; ++k) {
        places[half + k] = place;
        places[half - k] = -place;
        place += power(q, k);
    }
    return places;
}

/// Returns the number of the interval of the rising `ends`, counted from 0, that has `place`; the
/// last interval has its end, too.
std::int64_t interval_of(std::span<const Real> ends, const Real& place) {
    const auto after = std::upper_bound(ends.begin() + 1, ends.end() - 1, place);
    return after - ends.begin() - 1;
}

/// The values at one place of the four cubic B-splines that are not zero there.
struct Splines {
    std::int64_t first;
    std::array<Real, 4> values;
};

/// By de Boor's recurrence.
Splines splines_at(std::span<const Real> knots, const Real& place) {
    const std::int64_t interval = 3 + interval_of(knots.subspan(3, knots.size() - 6), place);
    Splines splines{interval - 3, {Real(1), Real(0), Real(0), Real(0)}};
    for (std::int64_t degree = 1; degree <= 3; ++degree) {
        Real carried = 0;
        for (std::int64_t i = 0; i < degree; ++i) {
            const Real& low = knots[interval + 1 + i - degree];
            const Real& high = knots[interval + 1 + i];
            const Real part = splines.values[i] / (high - low);
            splines.values[i] = carried + (high - place) * part;
            carried = (place - low) * part;
        }
        splines.values[degree] = carried;
    }
    return splines;
}

/// Returns the weights at `place` of the values at `places` that the cubic spline with all places
/// but the second and the last but one as knots goes through. They solve  sum_i w_i B_j(places[i])
/// = B_j(place)  for all splines j. The matrix is totally positive, so elimination needs no pivots.
Weights spline_weights(std::span<const Real> places, const Real& place) {
    constexpr std::int64_t band = 4;  // more than the distance of a row and a column with a value
    const std::int64_t count = std::ssize(places);
    std::vector<Real> knots(4, places.front());
    knots.insert(knots.end(), places.begin() + 2, places.end() - 2);
    knots.insert(knots.end(), 4, places.back());
    std::vector<std::array<Real, 2 * band + 1>> rows(count);
    const auto at = [&](std::int64_t row, std::int64_t column) -> Real& {
        return rows[row][column - row + band];
    };
    for (auto& row : rows) row.fill(Real(0));
    for (std::int64_t i = 0; i < count; ++i) {
        const Splines splines = splines_at(knots, places[i]);
        for (std::int64_t k = 0; k < 4; ++k) at(splines.first + k, i) = splines.values[k];
    }
    Weights weights{0, std::vector<Real>(count, Real(0))};
    const Splines wanted = splines_at(knots, place);
    std::ranges::copy(wanted.values, weights.values.begin() + wanted.first);
    const auto end_of = [=](std::int64_t row) { return std::min(row + band, count); };
    for (std::int64_t pivot = 0; pivot < count; ++pivot) {
        for (std::int64_t row = pivot + 1; row < end_of(pivot); ++row) {
            const Real factor = at(row, pivot) / at(pivot, pivot);
            for (std::int64_t column = pivot; column < end_of(pivot); ++column) {
                at(row, column) = at(row, column) - factor * at(pivot, column);
            }
            weights.values[row] = weights.values[row] - factor * weights.values[pivot];
        }
    }
    for (std::int64_t row = count - 1; row >= 0; --row) {
        Real& value = weights.values[row];
        for (std::int64_t column = row + 1; column < end_of(row); ++column) {
            value = value - at(row, column) * weights.values[column];
        }
        value = value / at(row, row);
    }
    return weights;
}

Weights geometric(const Interpolation& how, std::int64_t index) {
    const std::vector<Real> places = geometric_places(how.from, how.to);
    const Real wanted = whole(index - how.to / 2);
    if (!(places.front() < wanted)) return single(0);
    if (!(wanted < places.back())) return single(how.from - 1);
    if (how.kernel == Kernel::geometric_cubic) return spline_weights(places, wanted);
    const std::int64_t before = interval_of(places, wanted);
    const Real part = (wanted - places[before]) / (places[before + 1] - places[before]);
    return {before, {1.0 - part, part}};
}

}  // namespace

Weights weights_of(const Interpolation& how, std::int64_t index) {
    switch (how.kernel) {
        case Kernel::nearest:
        case Kernel::nearest_exact:
            return nearest(how, index);
        case Kernel::area:
            return mean(how, index);
        case Kernel::geometric_linear:
        case Kernel::geometric_cubic:
            return geometric(how, index);
        case Kernel::crop:
        case Kernel::repeat:
            return single(index % how.from);
        default:
            return convolved(how, index);
    }
}

double interpolated(DType dtype, const std::array<Interpolation, 2>& axes,
                    const std::array<std::int64_t, 2>& index, std::span<const double> inputs) {
    return ziv_loop(dtype, Midpoints::possible, [&]() -> Enclosure {
        Real total = 0, size = 0;
        for (const double input : inputs) size = size + std::fabs(input);
        // Many sums are halfway between two neighbours: those of weights that are short numbers
        // have no error, and need no more bits to tell.
        mpfr_clear_inexflag();
        const std::vector<Real> rows = weights_of(axes[0], index[0]).values;
        const std::vector<Real> columns = weights_of(axes[1], index[1]).values;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            total = total + rows[i / columns.size()] * columns[i % columns.size()] * inputs[i];
        }
        const bool is_exact = mpfr_inexflag_p() == 0;
        return {std::move(total), is_exact ? Real(0) : rounding_errors(size)};
    });
}

}  // namespace pegen::numerics

#include "encodings/parameters/truncated_normal_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "torch/erfinv.h"

namespace pegen::encodings {
namespace {

double density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }

double below(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

/// Returns the number that a normal one is below with this probability; NaN of NaN, which huge
/// values come to.
double quantile(double probability) {
    if (std::isnan(probability)) return probability;
    constexpr double least = 0x1p-26;
    const double p = std::clamp(probability, least, 1 - least);
    double z =
        std::numbers::sqrt2 * static_cast<double>(torch::erfinv(
                                  static_cast<float>(std::clamp(2 * p - 1, -0.999999, 0.999999)),
                                  torch::CodePath::vectors));
    for (int step = 0; step < 3; ++step) z -= (below(z) - p) / density(z);
    return z;
}

/// A value and the draw it was made of.
struct Point {
    double value;
    double unit;
};

std::vector<Point> points_of(std::span<const double> values, std::span<const double> units) {
    constexpr std::size_t enough = 512;
    std::vector<Point> points;
    for (std::size_t i = 0; i < values.size() && points.size() < enough; ++i) {
        if (std::isfinite(values[i])) points.push_back({values[i], units[i]});
    }
    return points;
}

constexpr std::size_t unknowns = 4;

using Vector = std::array<double, unknowns>;
using Matrix = std::array<Vector, unknowns>;

/// The distribution as a vector of unknowns.
enum Unknown : std::size_t { mean, deviation, low, high };

struct Quantile {
    double value;
    double z;
};

Quantile value_at(const Vector& x, double unit) {
    const double from = below((x[low] - x[mean]) / x[deviation]);
    const double to = below((x[high] - x[mean]) / x[deviation]);
    const double z = quantile(from + unit * (to - from));
    return {x[mean] + x[deviation] * z, z};
}

/// Returns the derivatives of value_at() by the unknowns.
Vector slopes_at(const Vector& x, double unit, double z) {
    const double a = (x[low] - x[mean]) / x[deviation], b = (x[high] - x[mean]) / x[deviation];
    const double of_low = (1 - unit) * density(a) / density(z);
    const double of_high = unit * density(b) / density(z);
    return {1 - of_low - of_high, z - a * of_low - b * of_high, of_low, of_high};
}

/// The far tails, where float32 code is off by more, say little.
constexpr double telling_z = 3;

struct Normal {
    Matrix matrix{};
    Vector vector{};
    double squares = 0;
    double count = 0;
};

Normal normal_equations(const std::vector<Point>& points, const Vector& x) {
    Normal n;
    for (const Point& point : points) {
        const Quantile there = value_at(x, point.unit);
        if (std::fabs(there.z) > telling_z) continue;
        const Vector slopes = slopes_at(x, point.unit, there.z);
        const double rest = point.value - there.value;
        for (std::size_t i = 0; i < unknowns; ++i) {
            for (std::size_t j = 0; j < unknowns; ++j) n.matrix[i][j] += slopes[i] * slopes[j];
            n.vector[i] += slopes[i] * rest;
        }
        n.squares += rest * rest;
        n.count += 1;
    }
    return n;
}

/// Returns the inverse by Gauss and Jordan; the matrix is symmetric and not negative. What cannot
/// be told has a large inverse instead of none.
Matrix inverse(Matrix m) {
    Matrix result{};
    for (std::size_t i = 0; i < unknowns; ++i) {
        result[i][i] = 1;
        m[i][i] += 1e-13 * m[i][i] + std::numeric_limits<double>::min();
    }
    for (std::size_t i = 0; i < unknowns; ++i) {
        const double pivot = m[i][i];
        for (std::size_t j = 0; j < unknowns; ++j) {
            m[i][j] /= pivot;
            result[i][j] /= pivot;
        }
        for (std::size_t k = 0; k < unknowns; ++k) {
            if (k == i) continue;
            const double factor = m[k][i];
            for (std::size_t j = 0; j < unknowns; ++j) {
                m[k][j] -= factor * m[i][j];
                result[k][j] -= factor * result[i][j];
            }
        }
    }
    return result;
}

/// Returns the sum of squared differences; infinite for what is no distribution.
double squares_of(const std::vector<Point>& points, const Vector& x) {
    if (!(x[deviation] > 0) || !(x[low] < x[high])) return std::numeric_limits<double>::infinity();
    double squares = 0;
    for (const Point& point : points) {
        const Quantile there = value_at(x, point.unit);
        if (std::fabs(there.z) > telling_z) continue;
        squares += (point.value - there.value) * (point.value - there.value);
    }
    return squares;
}

/// Returns the distribution of these shares of the normal one, from `from` to `to` deviations off
/// its mean, that is nearest to the values.
Vector with_ends(const std::vector<Point>& points, double from, double to) {
    const Vector standard{0, 1, from, to};
    double count = 0, v = 0, z = 0, zz = 0, zv = 0;
    for (const Point& point : points) {
        const double there = value_at(standard, point.unit).value;
        if (std::fabs(there) > telling_z) continue;
        count += 1;
        v += point.value;
        z += there;
        zz += there * there;
        zv += there * point.value;
    }
    const double factor = (count * zv - z * v) / (count * zz - z * z);
    const double shift = (v - factor * z) / count;
    return {shift, factor, shift + from * factor, shift + to * factor};
}

/// Ends beyond this many deviations cannot be seen.
constexpr double out_of_sight = 9;

/// Returns the nearest distribution of a few with usual ends.
Vector coarse_fit(const std::vector<Point>& points) {
    constexpr std::array ends{-out_of_sight, -5.0, -4.0, -3.0, -2.0, -1.0, -0.5,        0.0,
                              0.5,           1.0,  2.0,  3.0,  4.0,  5.0,  out_of_sight};
    Vector best{};
    double least = std::numeric_limits<double>::infinity();
    for (const double from : ends) {
        for (const double to : ends) {
            if (from >= to) continue;
            const Vector x = with_ends(points, from, to);
            const double squares = squares_of(points, x);
            if (!(squares < least)) continue;
            least = squares;
            best = x;
        }
    }
    return best;
}

Vector refined(const std::vector<Point>& points, Vector x) {
    double squares = squares_of(points, x);
    for (int step = 0; step < 24; ++step) {
        const Normal n = normal_equations(points, x);
        const Matrix inverted = inverse(n.matrix);
        Vector move{};
        for (std::size_t i = 0; i < unknowns; ++i) {
            for (std::size_t j = 0; j < unknowns; ++j) move[i] += inverted[i][j] * n.vector[j];
        }
        bool is_better = false;
        for (double length = 1; length > 1e-3 && !is_better; length /= 4) {
            Vector next = x;
            for (std::size_t i = 0; i < unknowns; ++i) next[i] += length * move[i];
            const double there = squares_of(points, next);
            is_better = there < squares;
            if (is_better) {
                x = next;
                squares = there;
            }
        }
        if (!is_better) break;
    }
    return x;
}

double largest_unit(const std::vector<Point>& points, const FitContext& context) {
    double largest = 0;
    for (const Point& point : points) {
        largest = std::max(largest, unit_of(point.value, context.precision));
    }
    return largest;
}

bool fits(const std::vector<Point>& points, const Vector& x, const FitContext& context) {
    // The fit itself is off by what the values' rounding leaves of it.
    const double of_fit =
        8 * largest_unit(points, context) / std::sqrt(static_cast<double>(points.size()));
    return std::ranges::all_of(points, [&](const Point& point) {
        const Quantile there = value_at(x, point.unit);
        if (!std::isfinite(there.value)) return false;
        // Float32 code is off by some units of the probability, which the tails enlarge.
        const double slack = x[deviation] * 0x1p-21 / density(there.z) + context.noise + of_fit;
        return std::fabs(there.value - point.value) <=
               3 * unit_of(point.value, context.precision) + slack;
    });
}

}  // namespace

std::optional<TruncatedNormal> fit_truncated_normal(std::span<const double> values,
                                                    std::span<const double> units,
                                                    const FitContext& context) {
    const std::vector<Point> points = points_of(values, units);
    if (points.size() < unknowns + 1) return std::nullopt;
    Vector best = with_ends(points, -out_of_sight, out_of_sight);
    const bool is_cut = !fits(points, best, context);
    if (is_cut) {
        const std::size_t few = std::min<std::size_t>(points.size(), 96);
        best = refined(points, coarse_fit({points.begin(),
                                           points.begin() + static_cast<std::ptrdiff_t>(few)}));
        if (!fits(points, best, context)) return std::nullopt;
    }
    const Normal n = normal_equations(points, best);
    const Matrix covariance = inverse(n.matrix);
    const double error =
        6 * std::max(std::sqrt(n.squares / n.count), largest_unit(points, context) / 8) +
        context.noise;
    const auto measured = [&](Unknown i) {
        const double variance = is_cut ? std::fabs(covariance[i][i]) : 4 / n.count;
        return evidence::Measured{best[i],
                                  error * std::sqrt(variance) + 0x1p-23 * std::fabs(best[i])};
    };
    const auto end = [&](Unknown i) -> std::optional<evidence::Measured> {
        const double z = (best[i] - best[mean]) / best[deviation];
        constexpr double in_sight = 5.3;
        if (!(std::fabs(z) < in_sight)) return std::nullopt;
        // The code computes the probability below the end in float32.
        const double rounding = best[deviation] * 0x1p-23 / density(z);
        return evidence::Measured{best[i], measured(i).error + rounding};
    };
    return TruncatedNormal{measured(mean), measured(deviation), end(low), end(high)};
}

}  // namespace pegen::encodings

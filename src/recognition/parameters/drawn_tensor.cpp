#include "recognition/parameters/drawn_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numbers>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/parallel.h"
#include "draws/torch/erfinv.h"
#include "encodings/parameters/initializer.h"
#include "recognition/evidence/distribution.h"
#include "recognition/evidence/precision.h"
#include "recognition/evidence/simple_number.h"

namespace pegen::recognition {
namespace {

using evidence::window_size;

using Kind = encodings::Initializer::Kind;

// Fits of an initializer to values and the draws they were made from: normal draws of mean 0 and
// standard deviation 1, or units, uniform draws in [0, 1). Unknown values are NaN. The fits return
// texts for --init, cheapest first; only a comparison with the values decides which text is right,
// if any.

/// The tensor that the values belong to.
struct FitContext {
    std::int64_t rows;
    std::int64_t columns;
    evidence::Precision precision;  ///< of the values
    double noise;                   ///< of the values, beyond their rounding
};

/// The measured parameters of a truncated normal distribution.
struct TruncatedNormal {
    evidence::Measured mean;
    evidence::Measured std;
    std::optional<evidence::Measured> low;  ///< none if too far from the mean to be measured
    std::optional<evidence::Measured> high;
};

double density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }

double below(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

/// Returns the number below which a standard normal variable lies with this probability; NaN if the
/// probability is NaN, as it may be for huge values.
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

/// A value and the unit it was made from.
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

/// The parameters of the distribution, as indices of a vector.
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

/// Returns the derivatives of value_at() with respect to the parameters.
Vector slopes_at(const Vector& x, double unit, double z) {
    const double a = (x[low] - x[mean]) / x[deviation], b = (x[high] - x[mean]) / x[deviation];
    const double of_low = (1 - unit) * density(a) / density(z);
    const double of_high = unit * density(b) / density(z);
    return {1 - of_low - of_high, z - a * of_low - b * of_high, of_low, of_high};
}

/// The limit, in deviations, of the points used in fits: farther tails have larger errors in
/// float32 code.
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

/// Returns the inverse of a symmetric, non-negative matrix, by Gauss-Jordan elimination. A singular
/// matrix has a large inverse: parameters that the points do not determine get large variances.
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

/// Returns the sum of squared differences; infinite if `x` is no distribution.
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

/// Returns the distribution closest to the values among those whose ends are `from` and `to`
/// standard deviations from the mean.
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

/// The limit, in deviations from the mean, beyond which ends have no effect.
constexpr double out_of_sight = 9;

/// Returns the closest distribution among a few with usual ends.
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
    // The error of the fitted parameters, due to the rounding of the values.
    const double of_fit =
        8 * largest_unit(points, context) / std::sqrt(static_cast<double>(points.size()));
    return std::ranges::all_of(points, [&](const Point& point) {
        const Quantile there = value_at(x, point.unit);
        if (!std::isfinite(there.value)) return false;
        // Float32 code has errors of some units of the probability, which grow in the tails.
        const double slack = x[deviation] * 0x1p-21 / density(there.z) + context.noise + of_fit;
        return std::fabs(there.value - point.value) <=
               3 * unit_of(point.value, context.precision) + slack;
    });
}

/// Returns the truncated normal distribution that maps `units` to the values; none if no
/// distribution does. Unknown values are NaN.
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
        // PyTorch computes the probability below an end in float32.
        const double rounding = best[deviation] * 0x1p-23 / density(z);
        return evidence::Measured{best[i], measured(i).error + rounding};
    };
    return TruncatedNormal{measured(mean), measured(deviation), end(low), end(high)};
}

/// A number of an initializer as a user may have typed it.
struct CandidateNumber {
    std::string text;
    double bits;
};

constexpr std::size_t most_texts = 64;

/// Returns the texts that a measured number of --init may have, for rows of `d` channels: simple
/// numbers, 1/sqrt(d), and the nearest float32 numbers.
std::vector<CandidateNumber> candidate_numbers(const evidence::Measured& number, std::int64_t d) {
    std::vector<CandidateNumber> candidates;
    for (const evidence::SimpleNumber& simple : evidence::simple_numbers(number, 5)) {
        candidates.push_back({simple.text, simple.bits});
    }
    const double of_channels = 1 / std::sqrt(static_cast<double>(d));
    if (std::fabs(number.value - of_channels) <= number.error) {
        candidates.push_back({"1/sqrt(d)", 4});
    }
    // Whatever formula it came from, the code drew with some float32 number.
    constexpr double bits_of_float = 32;
    const auto nearest = static_cast<float>(number.value);
    for (const float neighbour :
         {nearest, std::nextafterf(nearest, -1e30F), std::nextafterf(nearest, 1e30F)}) {
        if (std::fabs(static_cast<double>(neighbour) - number.value) <= number.error) {
            candidates.push_back({fmt::format("{}", neighbour), bits_of_float});
        }
    }
    std::ranges::stable_sort(candidates, {}, &CandidateNumber::bits);
    return candidates;
}

/// Returns the texts "prefixA,B,C" for the cheapest choices of one number from each list.
std::vector<std::string> cheapest_texts(std::string_view prefix,
                                        const std::vector<std::vector<CandidateNumber>>& numbers) {
    std::vector<CandidateNumber> texts{{std::string(prefix), 0}};
    for (const std::vector<CandidateNumber>& choices : numbers) {
        std::vector<CandidateNumber> longer;
        for (const CandidateNumber& text : texts) {
            for (const CandidateNumber& choice : choices) {
                const char* const comma = text.text.ends_with(':') ? "" : ",";
                longer.push_back({text.text + comma + choice.text, text.bits + choice.bits});
            }
        }
        std::ranges::stable_sort(longer, {}, &CandidateNumber::bits);
        if (longer.size() > most_texts) longer.resize(most_texts);
        texts = std::move(longer);
    }
    std::vector<std::string> result;
    for (CandidateNumber& text : texts) result.push_back(std::move(text.text));
    return result;
}

/// The line values = shift + factor * draws.
struct Line {
    evidence::Measured shift;
    evidence::Measured factor;
};

/// Returns the least-squares line; none if the values are not on a rising line.
std::optional<Line> fit_line(std::span<const double> values, std::span<const double> draws,
                             const FitContext& context) {
    double count = 0, mean_v = 0, mean_x = 0, xx = 0, xv = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i])) continue;
        count += 1;
        const double v = values[i] - mean_v, x = draws[i] - mean_x;
        mean_v += v / count;
        mean_x += x / count;
        xx += x * (draws[i] - mean_x);
        xv += x * (values[i] - mean_v);
    }
    if (count < 3 || !(xx > 0) || !(xv > 0)) return std::nullopt;
    const double factor = xv / xx, shift = mean_v - factor * mean_x;
    double largest = 0;
    for (const double value : values) {
        if (!std::isnan(value)) largest = std::max(largest, unit_of(value, context.precision));
    }
    // The error of the line, due to the rounding of the values, is included.
    const double slack = context.noise + 0x1p-22 * std::fabs(shift) + 0x1p-21 * factor +
                         6 * largest / std::sqrt(count);
    double squares = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i])) continue;
        const double rest = std::fabs(values[i] - shift - factor * draws[i]);
        if (rest > 3 * unit_of(values[i], context.precision) + slack) return std::nullopt;
        squares += rest * rest;
    }
    // The error is six standard errors plus the rounding of PyTorch's parameters to float32.
    const double error = 6 * std::max(std::sqrt(squares / count), largest / 8) / std::sqrt(count);
    const double deviation = std::sqrt(xx / count);
    return Line{{shift, error * (1 + std::fabs(mean_x) / deviation) + 0x1p-23 * std::fabs(shift)},
                {factor, error / deviation + 0x1p-23 * factor}};
}

/// True if values = shift + factor * draws for a positive factor.
bool is_affine(std::span<const double> values, std::span<const double> draws,
               const FitContext& context) {
    return fit_line(values, draws, context).has_value();
}

/// True if the values have the same order as the draws.
bool is_rising(std::span<const double> values, std::span<const double> draws) {
    std::vector<std::pair<double, double>> points;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isnan(values[i])) points.emplace_back(draws[i], values[i]);
    }
    std::ranges::sort(points);
    return std::ranges::is_sorted(points, {}, &std::pair<double, double>::second);
}

/// Returns texts "normal:MEAN,STD"; none if the values are not an affine function of the normals.
std::vector<std::string> fitted_normals(std::span<const double> values,
                                        std::span<const double> normals,
                                        const FitContext& context) {
    const std::optional<Line> line = fit_line(values, normals, context);
    if (!line) return {};
    return cheapest_texts("normal:", {candidate_numbers(line->shift, context.columns),
                                      candidate_numbers(line->factor, context.columns)});
}

/// Returns texts "uniform:LOW,HIGH", and "xavier-uniform" if its bounds agree; none if the values
/// are not an affine function of the units.
std::vector<std::string> fitted_uniforms(std::span<const double> values,
                                         std::span<const double> units, const FitContext& context) {
    const std::optional<Line> line = fit_line(values, units, context);
    if (!line) return {};
    const evidence::Measured low = line->shift;
    const evidence::Measured high{low.value + line->factor.value, low.error + line->factor.error};
    std::vector<std::string> texts = cheapest_texts(
        "uniform:",
        {candidate_numbers(low, context.columns), candidate_numbers(high, context.columns)});
    const double bound = std::sqrt(6 / static_cast<double>(context.rows + context.columns));
    const bool is_xavier = std::fabs(low.value + bound) <= low.error + 0x1p-23 * bound &&
                           std::fabs(high.value - bound) <= high.error + 0x1p-23 * bound;
    if (is_xavier) texts.insert(texts.begin(), "xavier-uniform");
    return texts;
}

/// Returns texts "trunc-normal:MEAN,STD,LOW,HIGH"; none if no truncated normal distribution has
/// these values.
std::vector<std::string> fitted_truncated_normals(std::span<const double> values,
                                                  std::span<const double> units,
                                                  const FitContext& context) {
    const std::optional<TruncatedNormal> fit = fit_truncated_normal(values, units, context);
    if (!fit) return {};
    // Ends beyond six deviations have no effect in float32. PyTorch's default ends are -2 and 2.
    const double beyond = 6 * fit->std.value + std::fabs(fit->mean.value);
    const double far = beyond <= 2 ? 2 : std::ceil(beyond);
    const auto end = [&](const std::optional<evidence::Measured>& measured, double sign) {
        if (measured) return candidate_numbers(*measured, context.columns);
        return std::vector{CandidateNumber{fmt::format("{}", sign * far), 0}};
    };
    return cheapest_texts("trunc-normal:", {candidate_numbers(fit->mean, context.columns),
                                            candidate_numbers(fit->std, context.columns),
                                            end(fit->low, -1), end(fit->high, 1)});
}

constexpr std::int64_t window = window_size;

std::int64_t size_of(const DrawnTensor& tensor) { return tensor.rows * tensor.columns; }

double element(const DrawnTensor& tensor, std::int64_t i) {
    const std::int64_t place = i - tensor.first;
    const bool is_there = place >= 0 && place < std::ssize(tensor.values);
    return is_there ? tensor.values[place] : std::nan("");
}

/// Sixteen elements that PyTorch makes from sixteen consecutive draws; NaN for unknown elements.
struct Block {
    std::array<double, window> values;
    std::int64_t first_draw_of_normals;
    std::int64_t first_draw_of_uniforms;
};

/// The least number of known elements, in a tensor and in its block.
constexpr std::ptrdiff_t fewest_known = 6;

bool is_known(double value) { return std::isfinite(value); }

/// Returns the first block whose elements are all known or, if there is none, the block with the
/// most known elements; none if every block has too few.
std::optional<Block> find_block(const DrawnTensor& tensor) {
    const std::int64_t size = size_of(tensor);
    const std::int64_t before_normals = torch::draws_of_normal_fills(tensor.before, size);
    const std::int64_t before_uniforms = tensor.is_later ? tensor.before * size : before_normals;
    std::optional<Block> best;
    std::ptrdiff_t most_known = fewest_known - 1;
    const auto try_block = [&](std::int64_t first, std::int64_t normal_draw) {
        Block block{{}, before_normals + normal_draw, before_uniforms + first};
        for (std::int64_t i = 0; i < window; ++i) {
            block.values[i] = element(tensor, first + i);
        }
        const std::ptrdiff_t known = std::ranges::count_if(block.values, is_known);
        if (known <= most_known) return;
        most_known = known;
        best = block;
    };
    // If the size of a tensor is no multiple of 16, PyTorch draws the last 16 elements again.
    const std::int64_t blocks_end = size % window == 0 ? size : size - window;
    const std::int64_t values_end = tensor.first + std::ssize(tensor.values);
    std::int64_t first = tensor.first / window * window;
    for (; first < values_end && first + window <= blocks_end && most_known < window;
         first += window) {
        try_block(first, first);
    }
    if (most_known < window) {
        try_block(size - window, size % window == 0 ? size - window : size);
    }
    return best;
}

/// A running test whether values are an affine function of other values.
class AffineTest {
  public:
    void add(double x, double v) {
        count_ += 1;
        const double dx = x - mean_x_, dv = v - mean_v_;
        mean_x_ += dx / count_;
        mean_v_ += dv / count_;
        xx_ += dx * (x - mean_x_);
        vv_ += dv * (v - mean_v_);
        xv_ += dx * (v - mean_v_);
    }

    /// True if the correlation is at least 0.99, or if there are too few points to decide.
    bool holds() const {
        constexpr double fewest = 3;
        return count_ < fewest || (xv_ > 0 && xv_ * xv_ > 0.98 * xx_ * vv_);
    }

  private:
    double count_ = 0, mean_x_ = 0, mean_v_ = 0, xx_ = 0, vv_ = 0, xv_ = 0;
};

/// True if the block is an affine function of the normals that PyTorch makes from these draws, two
/// from each pair of draws.
bool is_affine_in_normals(const Block& block, const evidence::SeedDraws& draws) {
    AffineTest test;
    constexpr std::int64_t half = window / 2;
    for (std::int64_t j = 0; j < half; ++j) {
        const double radius = std::sqrt(-2 * std::log1p(-draws.unit(0, j)));
        const double angle = 2 * std::numbers::pi * draws.unit(0, j + half);
        const double first = block.values[j], second = block.values[j + half];
        if (is_known(first)) test.add(radius * std::cos(angle), first);
        if (is_known(second)) test.add(radius * std::sin(angle), second);
        if (!test.holds()) return false;
    }
    return true;
}

/// True if the known values of the block have the same order as the draws.
bool rises_with(const Block& block, const evidence::SeedDraws& draws, std::size_t window_index) {
    std::array<double, window> units{};
    for (std::int64_t k = 0; k < window; ++k) {
        units[k] = draws.unit(window_index, k);
        for (std::int64_t i = 0; i < k; ++i) {
            constexpr double slack = 0x1p-12;
            const double value = block.values[k] - block.values[i];
            const double unit = units[k] - units[i];
            if ((value > 0 && unit < -slack) || (value < 0 && unit > slack)) return false;
        }
    }
    return true;
}

std::vector<std::int64_t> likely_seeds(const Block& block, std::span<const std::int64_t> seeds) {
    // Equal values agree with the order of any draws.
    std::set<double> different;
    std::ranges::copy_if(block.values, std::inserter(different, different.end()), is_known);
    if (std::ssize(different) < fewest_known) return {};
    std::vector<std::int64_t> first_draws{block.first_draw_of_normals};
    if (block.first_draw_of_uniforms != block.first_draw_of_normals) {
        first_draws.push_back(block.first_draw_of_uniforms);
    }
    return evidence::seeds_with(seeds, first_draws, [&](const evidence::SeedDraws& draws) {
        return is_affine_in_normals(block, draws) ||
               rises_with(block, draws, first_draws.size() - 1);
    });
}

TensorFill tensor_by(const DrawnTensor& tensor, const encodings::Initializer& initializer,
                     std::int64_t seed, torch::CodePath path) {
    const auto make = tensor.is_later ? encodings::later_tensor : encodings::initialized_tensor;
    return make(initializer, tensor.rows, tensor.columns, seed, tensor.before, path);
}

/// Returns the elements that the initializer draws from this seed, beginning with element
/// `tensor.first`, as many as `known` has.
std::vector<double> elements_by(const DrawnTensor& tensor, std::span<const double> known,
                                const encodings::Initializer& initializer, std::int64_t seed,
                                torch::CodePath path) {
    return elements_of(tensor_by(tensor, initializer, seed, path), tensor.first, std::ssize(known));
}

/// Returns the initializer; none if PyTorch refuses its numbers, which may happen for fitted
/// numbers.
std::optional<encodings::Initializer> parse_fitted(const std::string& text, std::int64_t columns) {
    try {
        return encodings::parse_initializer(text, columns);
    } catch (const UsageError&) {
        return std::nullopt;
    }
}

/// The agreement of recomputed values with the known ones.
struct Agreement {
    bool is_close = true;  ///< all differ by at most one unit in the last place
    std::int64_t equal = 0;
};

Agreement agreement_of(const DrawnTensor& tensor, std::span<const double> known,
                       std::span<const double> made) {
    Agreement agreement;
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (std::isnan(known[i])) continue;
        const double difference = std::fabs(made[i] - known[i]);
        if (difference > 1.01 * unit_of(known[i], tensor.precision) + tensor.noise) {
            return {.is_close = false};
        }
        agreement.equal += difference == 0 ? 1 : 0;
    }
    return agreement;
}

struct Found {
    DrawnBy drawn;
    std::int64_t equal;
};

/// Returns the cheapest initializer that makes the tensor from this seed; none if no initializer
/// does.
std::optional<Found> fitted(const DrawnTensor& tensor, std::int64_t seed, torch::CodePath path) {
    constexpr std::size_t enough = 2048;
    const auto known = std::span(tensor.values).first(std::min(enough, tensor.values.size()));
    const auto drawn = [&](const encodings::Initializer& initializer) {
        return elements_by(tensor, known, initializer, seed, path);
    };
    const FitContext context{.rows = tensor.rows,
                             .columns = tensor.columns,
                             .precision = tensor.precision,
                             .noise = tensor.noise};
    const auto try_all = [&](const std::vector<std::string>& inits) -> std::optional<Found> {
        for (const std::string& init : inits) {
            const std::optional<encodings::Initializer> initializer =
                parse_fitted(init, tensor.columns);
            if (!initializer) continue;
            const Agreement agreement = agreement_of(tensor, known, drawn(*initializer));
            if (!agreement.is_close) continue;
            const bool is_scalar = path == torch::CodePath::scalar;
            return Found{{init, seed, is_scalar ? "torch-scalar" : "torch"}, agreement.equal};
        }
        return std::nullopt;
    };
    const auto normal = fitted_normals(known, drawn({Kind::normal, {0, 1}}), context);
    if (!normal.empty()) return try_all(normal);
    const std::vector<double> units = drawn({Kind::uniform, {0, 1}});
    const auto uniform = fitted_uniforms(known, units, context);
    if (!uniform.empty()) return try_all(uniform);
    return try_all(fitted_truncated_normals(known, units, context));
}

std::vector<DrawnBy> drawn_after(const DrawnTensor& tensor, std::int64_t seed) {
    const auto vectors = fitted(tensor, seed, torch::CodePath::vectors);
    const auto scalar = fitted(tensor, seed, torch::CodePath::scalar);
    if (!vectors && !scalar) return {};
    if (!scalar || (vectors && vectors->equal >= scalar->equal)) return {vectors->drawn};
    return {scalar->drawn};
}

/// Returns the seeds that may have drawn a tensor of fewer than 16 elements, which is drawn whole
/// for each seed.
std::vector<std::int64_t> seeds_of_few(const DrawnTensor& tensor,
                                       std::span<const std::int64_t> seeds) {
    std::vector<char> passes(seeds.size());
    const FitContext context{.rows = tensor.rows,
                             .columns = tensor.columns,
                             .precision = tensor.precision,
                             .noise = tensor.noise};
    constexpr std::int64_t part = 64;
    const std::int64_t count = std::ssize(seeds);
    parallel_for((count + part - 1) / part, [&](std::int64_t item) {
        for (std::int64_t i = item * part; i < std::min(count, (item + 1) * part); ++i) {
            const auto drawn = [&](Kind kind) {
                return elements_by(tensor, tensor.values, {kind, {0, 1}}, seeds[i],
                                   torch::CodePath::vectors);
            };
            passes[i] = is_affine(tensor.values, drawn(Kind::normal), context) ||
                        is_rising(tensor.values, drawn(Kind::uniform));
        }
    });
    std::vector<std::int64_t> found;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        if (passes[i]) found.push_back(seeds[i]);
    }
    return found;
}

}  // namespace

std::vector<DrawnBy> drawn_by(const DrawnTensor& tensor, std::span<const std::int64_t> usual) {
    // Float32 numbers have at most this many binary digits.
    constexpr int most_digits = 24;
    if (tensor.precision.digits > most_digits) return {};
    const auto seeds = tensor.noise > 0 ? evidence::popular_seeds() : usual;
    if (std::ranges::count_if(tensor.values, is_known) < fewest_known ||
        !evidence::may_be_draws(tensor.values, tensor.columns, tensor.precision)) {
        return {};
    }
    std::vector<std::int64_t> likely;
    if (size_of(tensor) < window) {
        likely = seeds_of_few(tensor, seeds);
    } else if (const std::optional<Block> block = find_block(tensor)) {
        likely = likely_seeds(*block, seeds);
    }
    for (const std::int64_t seed : likely) {
        std::vector<DrawnBy> found = drawn_after(tensor, seed);
        if (!found.empty()) return found;
    }
    return {};
}

std::vector<evidence::Setting> settings_of(const DrawnBy& drawn, std::string_view default_init) {
    std::vector<evidence::Setting> settings;
    if (drawn.init != default_init) settings.push_back({"init", drawn.init});
    if (drawn.seed != 0) settings.push_back({"seed", std::to_string(drawn.seed)});
    if (drawn.rng != "torch") settings.push_back({"rng", std::string(drawn.rng)});
    return settings;
}

}  // namespace pegen::recognition

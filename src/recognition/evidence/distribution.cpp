#include "recognition/evidence/distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "recognition/evidence/simple_number.h"

namespace pegen::evidence {

double correlation_of(std::span<const double> a, std::span<const double> b) {
    double sum_a = 0, sum_b = 0, aa = 0, bb = 0, ab = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum_a += a[i];
        sum_b += b[i];
        aa += a[i] * a[i];
        bb += b[i] * b[i];
        ab += a[i] * b[i];
    }
    const auto count = static_cast<double>(a.size());
    const double spread = (aa - sum_a * sum_a / count) * (bb - sum_b * sum_b / count);
    const double correlation = (ab - sum_a * sum_b / count) / std::sqrt(spread);
    return std::isfinite(correlation) ? correlation : 1;
}

bool are_rows_alike(std::span<const double> values, std::int64_t columns) {
    constexpr std::int64_t enough = 64;
    constexpr double hardly = 0.3;
    const std::int64_t last = std::ssize(values) / columns - 1, some = std::min(enough, last);
    std::vector<double> before, after;
    for (std::int64_t i = 0; i < some; ++i) {
        const auto row = values.begin() + i * last / some * columns;
        before.insert(before.end(), row, row + columns);
        after.insert(after.end(), row + columns, row + 2 * columns);
    }
    return correlation_of(before, after) > hardly;
}

namespace {

/// The most standard errors by which a statistic may differ from its expectation for independent
/// draws.
constexpr double most_errors = 6;

/// The number of values that are looked at, which is enough for every test here.
constexpr std::int64_t most_values = 1 << 18;

/// The moments of a list of numbers, without the unknown ones.
struct Moments {
    double count = 0;
    double mean = 0;
    double variance = 0;
    double kurtosis = 0;  ///< 3 for the normal distribution, 1.8 for the uniform one
};

template <class Value>
Moments moments(std::int64_t count, Value value) {
    Moments m;
    for (std::int64_t i = 0; i < count; ++i) {
        const double x = value(i);
        if (std::isnan(x)) continue;
        m.count += 1;
        m.mean += (x - m.mean) / m.count;
    }
    double fourth = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const double x = value(i) - m.mean;
        if (std::isnan(x)) continue;
        m.variance += x * x;
        fourth += x * x * x * x;
    }
    if (m.count > 0) m.variance /= m.count;
    if (m.variance > 0) m.kurtosis = fourth / m.count / (m.variance * m.variance);
    return m;
}

/// Values in rows, and the moments of all of them.
struct Rows {
    std::span<const double> values;
    std::int64_t columns;
    Moments all;

    std::int64_t count() const { return std::ssize(values) / columns; }
    double at(std::int64_t row, std::int64_t column) const {
        return values[row * columns + column];
    }
};

/// True if the values are not correlated with the values `lag` places before them.
bool are_uncorrelated(const Rows& rows, std::int64_t lag) {
    double sum = 0, pairs = 0;
    for (std::int64_t i = 0; i + lag < std::ssize(rows.values); ++i) {
        const double product =
            (rows.values[i] - rows.all.mean) * (rows.values[i + lag] - rows.all.mean);
        if (std::isnan(product)) continue;
        sum += product;
        pairs += 1;
    }
    return std::fabs(sum) <= most_errors * std::sqrt(pairs) * rows.all.variance;
}

/// True if the means and the variances of lines, which are rows or columns, differ from each other
/// no more than the means and variances of draws do.
bool are_alike(const std::vector<Moments>& lines, const Moments& all) {
    double mean_square = 0, variance_square = 0, counted = 0;
    for (const Moments& line : lines) {
        if (line.count < 8) continue;
        // The squares of both numbers have an expectation of about 1.
        const double mean = (line.mean - all.mean) / std::sqrt(all.variance / line.count);
        const double variance = (line.variance / all.variance - 1) /
                                std::sqrt(std::max(all.kurtosis - 1, 0.1) / line.count);
        mean_square += mean * mean;
        variance_square += variance * variance;
        counted += 1;
    }
    if (counted < 2) return true;
    const double most = 1 + most_errors * std::sqrt(2 / counted);
    // The variances of few draws have a skewed distribution and vary more than the formula says.
    return mean_square / counted <= most && variance_square / counted <= 2 * most;
}

bool has_usual_tails(const Moments& all) {
    const double error = most_errors * std::sqrt(24 / all.count);
    return all.kurtosis >= 1.8 - error && all.kurtosis <= 3 + error;
}

bool are_alike_both_ways(const Rows& rows) {
    std::vector<Moments> along, across;
    for (std::int64_t row = 0; row < rows.count(); ++row) {
        along.push_back(moments(rows.columns, [&](std::int64_t c) { return rows.at(row, c); }));
    }
    for (std::int64_t column = 0; column < rows.columns; ++column) {
        across.push_back(moments(rows.count(), [&](std::int64_t r) { return rows.at(r, column); }));
    }
    return are_alike(along, rows.all) && are_alike(across, rows.all);
}

/// True if numbers occur more than once that draws with this many digits hardly repeat.
bool has_repetitions(std::span<const double> values, const Precision& precision) {
    constexpr std::size_t enough = 2048;
    if (precision.digits < 24) return false;
    std::vector<double> numbers;
    for (const double value : values.first(std::min(enough, values.size()))) {
        if (!std::isnan(value)) numbers.push_back(value);
    }
    std::ranges::sort(numbers);
    std::ptrdiff_t repeated = 0;
    for (std::size_t i = 1; i < numbers.size(); ++i) repeated += numbers[i] == numbers[i - 1];
    return repeated > 4;
}

/// Returns the leading rows, which are the ones that are tested.
std::span<const double> leading(std::span<const double> values, std::int64_t columns) {
    const std::int64_t rows = std::min<std::int64_t>(
        std::ssize(values) / columns, std::max<std::int64_t>(1, most_values / columns));
    return values.first(rows * columns);
}

std::string number(double value, double error) {
    const std::vector<SimpleNumber> numbers = simple_numbers({value, error}, 1);
    return numbers.empty() ? fmt::format("{:.2g}", value) : numbers.front().text;
}

/// The logarithms of the likelihoods of draws under three distributions, each with its likeliest
/// parameters. The same constant is left out of all three.
struct Likelihoods {
    double uniform;
    double normal;
    double truncated;  ///< the normal distribution up to two deviations
};

Likelihoods likelihoods_of(const Moments& all, double low, double high) {
    const double deviation = std::sqrt(all.variance), half_log_turn = 0.9189385332046727;
    const double farthest = std::max(high - all.mean, all.mean - low) / deviation;
    constexpr double part_within_two = 0.9544997361036416;
    return {all.count * -std::log((high - low) / deviation), all.count * -(half_log_turn + 0.5),
            all.count * -(std::log(farthest / 2) + half_log_turn + std::log(part_within_two) +
                          2 / (farthest * farthest))};
}

}  // namespace

bool may_be_draws(std::span<const double> values, std::int64_t columns,
                  const Precision& precision) {
    const std::span<const double> some = leading(values, columns);
    const Moments all = moments(std::ssize(some), [&](std::int64_t i) { return some[i]; });
    if (!std::isfinite(all.variance)) return false;
    constexpr double too_few = 48;
    if (all.count < too_few) return true;
    if (all.variance == 0 || has_repetitions(some, precision)) return false;
    const Rows rows{some, columns, all};
    return has_usual_tails(all) && are_uncorrelated(rows, 1) &&
           (columns == 1 || are_uncorrelated(rows, columns)) && are_alike_both_ways(rows);
}

std::string distribution_of(const Sample& sample) {
    const std::int64_t columns = sample.extents.back();
    const std::span<const double> some = leading(sample.values, columns);
    constexpr std::ptrdiff_t enough = 256;
    const auto is_whole = [](double x) { return x == std::rint(x); };
    if (std::ssize(some) < enough || std::ranges::all_of(some, is_whole)) return "";
    if (!may_be_draws(some, columns, sample.precision)) return "";
    const Moments all = moments(std::ssize(some), [&](std::int64_t i) { return some[i]; });
    const double deviation = std::sqrt(all.variance);
    const double error = 3 * deviation / std::sqrt(all.count);
    const auto [low, high] = std::ranges::minmax(some);
    const Likelihoods likelihoods = likelihoods_of(all, low, high);
    if (likelihoods.uniform > std::max(likelihoods.normal, likelihoods.truncated)) {
        // The ends of the interval are as far beyond the extreme draws as the extreme draws are
        // from their neighbours.
        const double beyond = 6 * (high - low) / all.count;
        return fmt::format("uniform from {} to {}", number(low - beyond / 2, beyond / 2),
                           number(high + beyond / 2, beyond / 2));
    }
    constexpr double clear = 4.6;  // the likelihood is a hundred times larger
    const double more = likelihoods.truncated - likelihoods.normal;
    const char* const kind = more > clear    ? "normal, truncated,"
                             : more < -clear ? "normal"
                                             : "normal, perhaps truncated,";
    // The error of the deviation of normal draws; the error of their mean is larger.
    const double error_of_deviation = error / std::numbers::sqrt2;
    return fmt::format("{} with mean {} and deviation {}", kind, number(all.mean, error),
                       number(deviation, error_of_deviation));
}

}  // namespace pegen::evidence

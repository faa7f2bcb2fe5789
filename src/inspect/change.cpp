#include "inspect/change.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "core/number.h"
#include "core/shape.h"

namespace pegen {
namespace {

/// The share of a table's spread up to which values count as equal: float32 code has lost digits.
constexpr double tolerance = 1e-4;

struct Moments {
    double count = 0;
    double mean = 0;
    double deviation = 0;
};

Moments moments_of(std::span<const double> values) {
    const auto count = static_cast<double>(values.size());
    double sum = 0, squares = 0;
    for (const double value : values) sum += value;
    const double mean = sum / count;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return {count, mean, std::sqrt(squares / count)};
}

/// The line that makes values of others: given = factor * made + summand.
struct Line {
    double factor = 1;
    double summand = 0;

    double at(double made) const { return factor * made + summand; }
};

/// Returns the line of least squares. Precondition: the values of `made` differ.
Line line_through(std::span<const double> made, std::span<const double> given) {
    const Moments of_made = moments_of(made), of_given = moments_of(given);
    double products = 0;
    for (std::size_t i = 0; i < made.size(); ++i) {
        products += (made[i] - of_made.mean) * (given[i] - of_given.mean);
    }
    const double factor = products / (of_made.count * of_made.deviation * of_made.deviation);
    return {factor, of_given.mean - factor * of_made.mean};
}

/// True if the line makes all values, up to `most` from each.
bool makes(const Line& line, std::span<const double> made, std::span<const double> given,
           double most) {
    return std::ranges::equal(made, given,
                              [&](double x, double y) { return std::abs(y - line.at(x)) <= most; });
}

bool are_finite(std::span<const double> values) {
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

/// True if the values differ by more than rounding.
bool vary(std::span<const double> values) {
    const Moments moments = moments_of(values);
    return moments.deviation > 1e-9 * (moments.deviation + std::abs(moments.mean));
}

/// The shortest decimal within an error, of at most 5 digits.
std::string decimal(double value, double error) {
    constexpr int most_digits = 5;
    for (int digits = 1; digits < most_digits; ++digits) {
        std::string text = fmt::format("{:.{}g}", value, digits);
        if (std::abs(parse_real(text, "a number") - value) <= error) return text;
    }
    return fmt::format("{:.{}g}", value, most_digits);
}

std::string scaling_of(const ValuesBeside& values) {
    if (!are_finite(values.made) || !are_finite(values.given)) return "";
    // Any table becomes an array of one value if it is multiplied by 0.
    if (!vary(values.made) || !vary(values.given)) return "";
    const Line line = line_through(values.made, values.given);
    const double most = tolerance * std::abs(line.factor) * moments_of(values.made).deviation;
    if (!makes(line, values.made, values.given, most)) return "";
    double error = 0, largest = 0;
    for (std::size_t i = 0; i < values.made.size(); ++i) {
        error = std::max(error, std::abs(values.given[i] - line.at(values.made[i])));
        largest = std::max(largest, std::abs(values.made[i]));
    }
    const bool is_shifted = std::abs(line.summand) > most;
    const std::string summand = decimal(line.summand, error);
    if (std::abs(line.factor - 1) <= tolerance) {
        return is_shifted ? fmt::format("{} is added to all values", summand) : "";
    }
    return fmt::format("all values are multiplied by {}{}", decimal(line.factor, error / largest),
                       is_shifted ? fmt::format(", then {} is added", summand) : "");
}

/// Numbers that code writes for minus infinity in a mask.
std::string number_for_infinity(const ValuesBeside& values) {
    const auto same = [](double a, double b) {
        return a == b || std::abs(a - b) <= tolerance * std::max(std::abs(a), 1.0);
    };
    double number = 0;
    for (std::size_t i = 0; i < values.made.size(); ++i) {
        const double made = values.made[i], given = values.given[i];
        if (std::isinf(made) && made < 0 && std::isfinite(given)) {
            if (number != 0 && given != number) return "";
            number = given;
        } else if (!same(made, given)) {
            return "";
        }
    }
    if (!(number < -1000)) return "";
    const bool is_lowest = number == static_cast<double>(std::numeric_limits<float>::lowest());
    const std::string_view whose = is_lowest          ? ", the lowest number of float32,"
                                   : number == -65504 ? ", the lowest number of float16,"
                                                      : "";
    return fmt::format("{:.8g}{} is in the place of -inf", number, whose);
}

/// The values of a row or a channel that were not 0, and how many of them are.
struct ZerosInLine {
    double values = 0;
    double zeros = 0;
};

/// True if a zero of the array tells nothing of the next values, up to `most` places on: false for
/// every tenth value.
bool are_random(const ValuesBeside& values, double share, std::size_t most) {
    const std::size_t count = values.given.size();
    const auto of_zero = [&](std::size_t i) {
        return values.made[i] == 0 ? 0 : (values.given[i] == 0 ? 1 : 0) - share;
    };
    const double variance = share * (1 - share);
    for (std::size_t distance = 1; distance <= most && 2 * distance < count; ++distance) {
        double sum = 0;
        for (std::size_t i = distance; i < count; ++i) sum += of_zero(i) * of_zero(i - distance);
        const auto pairs = static_cast<double>(count - distance);
        if (std::abs(sum / pairs) > 0.1 * variance + 6 * variance / std::sqrt(pairs)) return false;
    }
    return true;
}

/// Zeros at random places, and the other values divided by the share that is left.
std::string dropout_of(const ValuesBeside& values) {
    if (!are_finite(values.made) || !are_finite(values.given)) return "";
    std::vector<double> made, given;  // where the array is not 0
    const std::size_t columns = to_size(values.columns), rows = values.made.size() / columns;
    std::vector<ZerosInLine> lines(rows + columns);
    double zeros = 0, all = 0;
    for (std::size_t i = 0; i < values.made.size(); ++i) {
        if (values.made[i] == 0) continue;
        const bool is_zero = values.given[i] == 0;
        for (ZerosInLine* const line : {&lines[i / columns], &lines[rows + i % columns]}) {
            ++line->values;
            line->zeros += is_zero ? 1 : 0;
        }
        ++all;
        zeros += is_zero ? 1 : 0;
        if (is_zero) continue;
        made.push_back(values.made[i]);
        given.push_back(values.given[i]);
    }
    const double share = zeros / all;
    if (!(all >= 200 && share > 0.005 && share < 0.95) || !vary(made) || !vary(given)) return "";
    // Zeros at random places hardly ever fill a row or a channel.
    double expected = 0, full = 0;
    for (const ZerosInLine& line : lines) {
        expected += line.values > 0 ? std::pow(share, line.values) : 0;
        full += line.values > 0 && line.zeros == line.values ? 1 : 0;
    }
    if (full > 0 && expected < 0.01) return "";
    const Line line = line_through(made, given);
    const double most = tolerance * std::abs(line.factor) * moments_of(made).deviation;
    if (std::abs(line.summand) > most || !makes(line, made, given, most)) return "";
    const double left = 1 - share, doubt = 4 * std::sqrt(share * left / all);
    const bool is_scaled = std::abs(line.factor - 1) > tolerance;
    const bool is_dropout = is_scaled && std::abs(1 / line.factor - left) <= doubt &&
                            are_random(values, share, 4 * columns);
    const bool is_in_all_rows = std::ranges::none_of(
        std::span(lines).first(rows),
        [](const ZerosInLine& row) { return row.values > 0 && row.zeros == 0; });
    if (!is_dropout && (is_scaled || !is_in_all_rows)) return "";
    return is_dropout ? fmt::format(
                            "dropout of {:.2g} is on: {:.2g} % of the values are 0, the "
                            "others are multiplied by {:.5g}",
                            1 - 1 / line.factor, 100 * share, line.factor)
                      : fmt::format("{:.2g} % of the values, in all rows, are 0", 100 * share);
}

/// What is done to each row on its own.
std::string change_of_rows(const ValuesBeside& values) {
    constexpr std::int64_t fewest_columns = 6;
    const std::size_t columns = to_size(values.columns), rows = values.made.size() / columns;
    if (values.columns < fewest_columns || rows < 3 || !are_finite(values.made) ||
        !are_finite(values.given)) {
        return "";
    }
    bool are_centred = true, are_standardized = true, are_normed = true, is_changed = false;
    for (std::size_t row = 0; row < rows; ++row) {
        const auto made = values.made.subspan(row * columns, columns);
        const auto given = values.given.subspan(row * columns, columns);
        if (!vary(made)) {
            if (vary(given)) return "";
            continue;
        }
        const Line line = line_through(made, given);
        const Moments before = moments_of(made), after = moments_of(given);
        if (!makes(line, made, given, tolerance * std::abs(line.factor) * before.deviation)) {
            return "";
        }
        is_changed = is_changed || !makes({}, made, given, 10 * tolerance * before.deviation);
        constexpr double of_epsilon = 1e-3;  // what is added to the variance moves the deviation
        const double norm =
            std::sqrt(static_cast<double>(columns)) * std::hypot(after.mean, after.deviation);
        const bool has_mean_0 = std::abs(after.mean) <= tolerance * after.deviation;
        are_centred = are_centred && has_mean_0 && std::abs(line.factor - 1) <= tolerance;
        are_standardized =
            are_standardized && has_mean_0 && std::abs(after.deviation - 1) <= of_epsilon;
        are_normed = are_normed && std::abs(norm - 1) <= tolerance &&
                     std::abs(line.summand) <= tolerance * after.deviation;
    }
    if (!is_changed) return "";
    if (are_standardized) return "each row is standardized, as by layer normalization";
    if (are_centred) return "the mean of each row is subtracted";
    return are_normed ? "each row is divided by its norm" : "";
}

/// A number for each channel that is added to all rows.
std::string summands_of_channels(const ValuesBeside& values) {
    const std::size_t columns = to_size(values.columns), rows = values.made.size() / columns;
    if (rows < 6 || columns < 2 || !are_finite(values.made) || !are_finite(values.given)) return "";
    const double most = tolerance * moments_of(values.given).deviation;
    bool are_centred = true;
    std::size_t changed = 0;
    for (std::size_t column = 0; column < columns; ++column) {
        const double summand = values.given[column] - values.made[column];
        if (std::abs(summand) > most) ++changed;
        double sum = 0;
        for (std::size_t i = column; i < values.made.size(); i += columns) {
            if (std::abs(values.given[i] - values.made[i] - summand) > most) return "";
            sum += values.given[i];
        }
        are_centred = are_centred && std::abs(sum) <= most * static_cast<double>(rows);
    }
    if (2 * changed < columns) return "";
    return are_centred ? "the mean of each channel is subtracted"
                       : "a number of its own is added to each channel";
}

/// Equidistant levels: first, first + step, ..., last.
struct Levels {
    double first;
    double last;
    double step;
    int count;
};

/// Returns the levels whose values these are, up to the rounding of float32; none if there are more
/// than integers of 16 bits have.
std::optional<Levels> levels_of(std::span<const double> values) {
    constexpr double most_levels = 0x1p16, most_off = 0.01;
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    const double first = sorted.front(), width = sorted.back() - first;
    double gap = width;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        const double apart = sorted[i] - sorted[i - 1];
        if (apart > width / most_levels / 2) gap = std::min(gap, apart);
    }
    const double steps = std::rint(width / gap);
    if (!(steps >= 2 && steps < most_levels)) return {};
    const double step = width / steps;
    const bool are_levels = std::ranges::all_of(sorted, [=](double value) {
        const double number = (value - first) / step;
        return std::abs(number - std::rint(number)) <= most_off;
    });
    if (!are_levels) return {};
    return Levels{first, sorted.back(), step, static_cast<int>(steps) + 1};
}

/// The values rounded to levels, as pictures and quantized weights have them.
std::string quantization_of(const ValuesBeside& values) {
    constexpr double fewest_steps = 3;  // in the deviation, or the levels show too little
    const auto is_whole = [](double value) { return value == std::rint(value); };
    if (!are_finite(values.made) || !are_finite(values.given) || !vary(values.made) ||
        std::ranges::all_of(values.made, is_whole)) {
        return "";
    }
    const Line line = line_through(values.made, values.given);
    const double coarsest = moments_of(values.given).deviation / fewest_steps;
    if (!makes(line, values.made, values.given, coarsest)) return "";
    const std::optional<Levels> levels = levels_of(values.given);
    if (!levels || levels->step > coarsest) return "";
    // Some code cuts off where other code rounds. A table that has levels itself is not rounded.
    constexpr double least_rounding = 0.125;
    if (!makes(line, values.made, values.given, levels->step) ||
        makes(line, values.made, values.given, least_rounding * levels->step)) {
        return "";
    }
    if (std::ranges::all_of(values.given, is_whole)) {
        const bool is_picture = levels->first >= 0 && levels->last <= 255;
        return fmt::format(
            "the values are {}: {:.4g} times the table{}, rounded",
            is_picture ? "the levels of a picture, 0 to 255" : "whole numbers", line.factor,
            std::abs(line.summand) < 0.25 ? "" : fmt::format(", plus {:.4g}", line.summand));
    }
    if (std::abs(line.factor - 1) > 0.01 || std::abs(line.summand) > levels->step) return "";
    const double per_unit = std::rint(1 / levels->step);
    const bool is_fraction = std::abs(per_unit * levels->step - 1) <= tolerance;
    return fmt::format("the values are rounded to {} levels, {} apart", levels->count,
                       is_fraction ? fmt::format("1/{}", per_unit)
                                   : decimal(levels->step, tolerance * levels->step));
}

/// Multiples of the values without their fractions, as a conversion to an integer type makes.
std::string cut_to_integers(const ValuesBeside& values) {
    constexpr double fewest_levels = 8, nearly_all = 0.99;
    if (!are_finite(values.made) || !are_finite(values.given)) return "";
    const auto largest = [](std::span<const double> some) {
        const auto [low, high] = std::ranges::minmax(some);
        return std::max(-low, high);
    };
    const double factor = largest(values.given) / largest(values.made);
    if (!std::isfinite(factor) || largest(values.given) < fewest_levels) return "";
    std::size_t agreeing = 0, integers = 0;
    for (std::size_t i = 0; i < values.made.size(); ++i) {
        const double product = factor * values.made[i];
        const double off = std::abs(values.given[i] - std::trunc(product));
        if (off > 1) return "";
        agreeing += off == 0 ? 1 : 0;
        integers += product == std::trunc(product) ? 1 : 0;
    }
    const auto count = static_cast<double>(values.made.size());
    // A table of integers is not cut.
    if (static_cast<double>(agreeing) < nearly_all * count || 2 * integers > values.made.size()) {
        return "";
    }
    return fmt::format("the values are {:.5g} times the table without the fractions, as integers",
                       factor);
}

constexpr std::array changes{scaling_of,     number_for_infinity,  dropout_of,
                             change_of_rows, summands_of_channels, cut_to_integers,
                             quantization_of};

}  // namespace

std::string change_of(const ValuesBeside& values) {
    if (values.made.empty() || std::ranges::equal(values.made, values.given)) return "";
    for (const auto change : changes) {
        if (std::string text = change(values); !text.empty()) return text;
    }
    return "";
}

std::string noise_of(const ValuesBeside& values) {
    constexpr std::size_t fewest = 200;
    const std::size_t columns = to_size(values.columns), count = values.made.size();
    if (count < fewest || !are_finite(values.made) || !are_finite(values.given)) return "";
    std::vector<double> noise;
    for (std::size_t i = 0; i < count; ++i) noise.push_back(values.given[i] - values.made[i]);
    const Moments whole = moments_of(noise), of_made = moments_of(values.made);
    constexpr double third = 0.35, most_outlying = 7;
    if (!(whole.deviation > 0) || whole.deviation > third * of_made.deviation) return "";
    // Random numbers correlate with nothing: the table, the noise of the next channel or row.
    const auto correlation = [&](const std::function<double(std::size_t)>& other,
                                 std::size_t distance, double deviation) {
        double sum = 0;
        for (std::size_t i = distance; i < count; ++i) sum += (noise[i] - whole.mean) * other(i);
        return sum / (static_cast<double>(count - distance) * whole.deviation * deviation);
    };
    const double most_correlation = 4.5 / std::sqrt(static_cast<double>(count));
    const auto of_table = [&](std::size_t i) { return values.made[i] - of_made.mean; };
    if (std::abs(correlation(of_table, 0, of_made.deviation)) > most_correlation) return "";
    for (const std::size_t distance : {std::size_t{1}, columns, 2 * columns}) {
        if (distance >= count) continue;
        const auto before = [&](std::size_t i) { return noise[i - distance] - whole.mean; };
        if (std::abs(correlation(before, distance, whole.deviation)) > most_correlation) return "";
    }
    // Noise that is a share of each value is as large as the value.
    double products = 0;
    std::vector<double> sizes, of_noise;
    for (std::size_t i = 0; i < count; ++i) {
        sizes.push_back(std::abs(values.made[i]));
        of_noise.push_back(std::abs(noise[i] - whole.mean));
    }
    const Moments size = moments_of(sizes), of_size = moments_of(of_noise);
    for (std::size_t i = 0; i < count; ++i) {
        products += (sizes[i] - size.mean) * (of_noise[i] - of_size.mean);
    }
    if (std::abs(products) >
        most_correlation * static_cast<double>(count) * size.deviation * of_size.deviation) {
        return "";
    }
    // They are as large in each quarter of the rows and of the channels.
    std::array<std::vector<double>, 8> quarters;
    for (std::size_t i = 0; i < count; ++i) {
        quarters[4 * i / count].push_back(noise[i]);
        quarters[4 + 4 * (i % columns) / columns].push_back(noise[i]);
        if (std::abs(noise[i] - whole.mean) > most_outlying * whole.deviation) return "";
    }
    for (const std::vector<double>& quarter : quarters) {
        if (quarter.size() < fewest / 8) continue;
        const double doubt = 6 / std::sqrt(static_cast<double>(quarter.size()));
        if (std::abs(moments_of(quarter).deviation / whole.deviation - 1) > doubt) return "";
    }
    return fmt::format("noise of deviation {:.2g} is added", whole.deviation);
}

std::string change_or_noise_of(const ValuesBeside& values) {
    const std::string change = change_of(values);
    return change.empty() ? noise_of(values) : change;
}

}  // namespace pegen

#include "identify/likeness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "core/to_size.h"
#include "identify/agreement.h"
#include "identify/views.h"

namespace pegen::identify {
namespace {

constexpr std::int64_t some_values = std::int64_t{1} << 14;

/// The values of a table and of an array, as rows of the last axis.
struct Values {
    std::int64_t rows;
    std::int64_t columns;
    std::vector<double> made;
    std::vector<double> array;
    Arithmetic arithmetic;
    std::vector<bool> is_off;  ///< the two do not agree

    std::size_t place(std::int64_t row, std::int64_t column) const {
        return to_size(row * columns + column);
    }
};

std::optional<Values> values_of(const Table& made, const evidence::Sample& array,
                                const evidence::Proposal& proposal) {
    const Table table = selected(made, proposal);
    if (squeezed(table.shape.extents()) != array.extents) return {};
    const std::int64_t columns = array.rank() == 1 ? 1 : array.extents.back();
    const auto in_memory = std::ssize(array.values);
    const std::int64_t count =
        std::min<std::int64_t>(in_memory, rows_holding(some_values, columns) * columns);
    const std::int64_t own_rows = (count + table.shape.columns() - 1) / table.shape.columns();
    Values values{count / columns,
                  columns,
                  read_rows(table, {0, own_rows}),
                  std::vector(array.values.begin(), array.values.begin() + count),
                  Arithmetic::float64,
                  {}};
    const std::int64_t per_index = table.shape.size() / array.extents.front();
    const auto find_off = [&](Arithmetic arithmetic) {
        values.arithmetic = arithmetic;
        values.is_off.clear();
        for (std::int64_t i = 0; i < count; ++i) {
            const double angle = angle_at(proposal, i, per_index);
            values.is_off.push_back(!is_alike(values.made[to_size(i)], values.array[to_size(i)],
                                              angle, array, arithmetic));
        }
    };
    const bool has_digits = array.precision.digits > 24;
    if (has_digits) find_off(Arithmetic::float64);
    if (!has_digits || 2 * std::ranges::count(values.is_off, true) > count) {
        find_off(Arithmetic::float32);
    }
    return values;
}

double root_mean_square(const std::vector<double>& values) {
    double sum = 0;
    std::int64_t count = 0;
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        sum += value * value;
        ++count;
    }
    return count == 0 ? 0 : std::sqrt(sum / static_cast<double>(count));
}

std::vector<double> differences(const Values& values) {
    std::vector<double> apart;
    for (std::size_t i = 0; i < values.array.size(); ++i) {
        apart.push_back(values.array[i] - values.made[i]);
    }
    return apart;
}

double value_at(const Values& values, const std::vector<double>& of, bool by_rows,
                std::int64_t line, std::int64_t i) {
    return of[by_rows ? values.place(line, i) : values.place(i, line)];
}

/// True if every row, or column, of the array is another one of the table, nearly.
bool are_in_another_order(const Values& values, bool by_rows) {
    const std::int64_t lines = by_rows ? values.rows : values.columns;
    const std::int64_t length = by_rows ? values.columns : values.rows;
    constexpr std::int64_t most = 2048;
    if (lines < 4 || length < 4 || lines > most) return false;
    // Lines are alike if their sums with fixed weights are: that takes one number for each.
    std::vector<double> weights;
    for (std::int64_t i = 0; i < length; ++i) {
        weights.push_back(std::cos(1.7 * static_cast<double>(i) + 0.3));
    }
    const auto sums = [&](const std::vector<double>& of) {
        std::vector<double> all;
        for (std::int64_t line = 0; line < lines; ++line) {
            double sum = 0;
            for (std::int64_t i = 0; i < length; ++i) {
                sum += value_at(values, of, by_rows, line, i) * weights[to_size(i)];
            }
            all.push_back(sum);
        }
        return all;
    };
    std::vector<double> ours = sums(values.made), theirs = sums(values.array);
    const auto [low, high] = std::ranges::minmax(ours);
    const double tolerance = 1e-4 * (high - low);
    const auto are_close = [=](double a, double b) { return std::abs(a - b) <= tolerance; };
    if (!(tolerance > 0) || std::ranges::equal(ours, theirs, are_close)) return false;
    std::ranges::sort(ours);
    std::ranges::sort(theirs);
    return std::ranges::equal(ours, theirs, are_close);
}

/// The factor and the sum that make the array of the table, if they do.
std::string scaling_of(const Values& values) {
    double sum_a = 0, sum_b = 0, sum_aa = 0, sum_ab = 0;
    const auto count = static_cast<double>(values.array.size());
    for (std::size_t i = 0; i < values.array.size(); ++i) {
        const double a = values.made[i], b = values.array[i];
        if (!std::isfinite(a) || !std::isfinite(b)) return "";
        sum_a += a;
        sum_b += b;
        sum_aa += a * a;
        sum_ab += a * b;
    }
    const double spread = sum_aa - sum_a * sum_a / count;
    if (!(spread > 1e-9 * sum_aa)) return "";
    const double factor = (sum_ab - sum_a * sum_b / count) / spread;
    const double added = (sum_b - factor * sum_a) / count;
    const double tolerance = 1e-4 * std::abs(factor) * std::sqrt(spread / count);
    for (std::size_t i = 0; i < values.array.size(); ++i) {
        const double apart = values.array[i] - (factor * values.made[i] + added);
        if (!(std::abs(apart) <= tolerance)) return "";
    }
    const bool is_shifted = std::abs(added) > tolerance;
    const bool is_scaled = std::abs(factor - 1) > 1e-4;
    if (!is_scaled && !is_shifted) return "";
    if (!is_scaled) return fmt::format("{:.5g} is added to all values", added);
    return fmt::format("all values are multiplied by {:.5g}{}", factor,
                       is_shifted ? fmt::format(", then {:.5g} is added", added) : "");
}

std::string change_of(const Values& values, const evidence::Sample& array) {
    if (std::ranges::count(values.is_off, true) == 0) return "";
    const bool is_all = values.array.size() == array.values.size() && array.has_all_values();
    if (is_all && are_in_another_order(values, true)) return "the rows are in another order";
    if (are_in_another_order(values, false)) return "the channels are in another order";
    return scaling_of(values);
}

}  // namespace

double angle_at(const evidence::Proposal& proposal, std::int64_t element, std::int64_t per_index) {
    if (!proposal.angle) return 0;
    return std::abs(proposal.angle(element / per_index, element % per_index));
}

bool is_alike(double made, double given, double angle, const evidence::Sample& array,
              Arithmetic arithmetic) {
    if (made == given || (std::isnan(made) && std::isnan(given))) return true;
    const double unit = evidence::unit_of(made, array.precision);
    const double error = arithmetic == Arithmetic::float64
                             ? unit + 0x1p-50 * (1 + angle)
                             : std::max(unit, std::abs(made) * 0x1p-22) + 0x1p-23 * (1 + 8 * angle);
    return std::abs(made - given) <= error + 3 * array.noise;
}

Arithmetic arithmetic_of(const Table& made, const evidence::Sample& array,
                         const evidence::Proposal& proposal) {
    if (array.precision.digits <= 24) return Arithmetic::float32;
    const std::optional<Values> values = values_of(made, array, proposal);
    return values ? values->arithmetic : Arithmetic::float32;
}

Likeness likeness_of(const Table& made, const evidence::Sample& array,
                     const evidence::Proposal& proposal) {
    const std::optional<Values> values = values_of(made, array, proposal);
    if (!values || values->array.empty()) return {};
    const auto off = std::ranges::count(values->is_off, true);
    // Zeros agree with the zeros of any table, as a mask's do with those of a matrix.
    std::ptrdiff_t telling = 0;
    for (std::size_t i = 0; i < values->array.size(); ++i) {
        telling += values->array[i] != 0 || values->made[i] != 0 ? 1 : 0;
    }
    const double size = root_mean_square(values->array);
    return {telling == 0 ? 0 : 1 - static_cast<double>(off) / static_cast<double>(telling),
            size == 0 ? std::numeric_limits<double>::infinity()
                      : root_mean_square(differences(*values)) / size,
            std::ssize(values->array) == array.table.shape.size(), change_of(*values, array)};
}

}  // namespace pegen::identify

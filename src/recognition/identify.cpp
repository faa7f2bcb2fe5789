#include "recognition/identify.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/shape.h"
#include "core/table.h"
#include "encodings/registry.h"
#include "inspect/change.h"
#include "recognition/agreement.h"
#include "recognition/candidate.h"
#include "recognition/elsewhere.h"
#include "recognition/evidence/distribution.h"
#include "recognition/evidence/precision.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/kernel/rotary_kernel.h"
#include "recognition/long_table.h"
#include "recognition/parameters/position_proposals.h"
#include "recognition/proposals.h"
#include "recognition/rotary/frequency_fit.h"
#include "recognition/views.h"
#include "rows/arranged.h"

namespace pegen::recognition {
namespace {

/// The number of values in which a convention shows, if rows of all parts of the array show it.
constexpr std::int64_t many_values = std::int64_t{1} << 17;

/// Returns the rows in the range as an array of their own.
Sample rows_of(const Sample& array, RowRange range) {
    const std::int64_t columns = array.extents.back();
    const auto begin = array.values.begin() + range.first * columns;
    Sample part = array;
    part.extents = {range.count, columns};
    part.leading = range.count;
    part.values.assign(begin, begin + range.count * columns);
    part.table.shape = Shape(part.extents);
    part.table.rows = rows::slice(array.table.rows, range);
    return part;
}

/// Returns the simplest candidate that the encodings propose and that agrees with the whole sample.
std::optional<Candidate> simplest(const Sample& sample) {
    std::vector<Candidate> candidates = recognized(sample);
    std::ranges::stable_sort(candidates, {}, &Candidate::bits);
    for (Candidate& candidate : candidates) {
        const std::optional<Table> table = table_of(candidate, sample.precision);
        if (!table) continue;
        const Agreement agreement =
            agreement_of(*table, sample, candidate.proposal, Scope::leading);
        if (agreement.level == Level::none || agreement.values == 0) continue;
        if (agreement.evidence > candidate.bits) return std::move(candidate);
    }
    return {};
}

/// Returns the candidates that agree with one third of the rows of an array of two axes, extended
/// to all of its rows: where some rows are spoiled, another third shows the convention exactly.
std::vector<Candidate> continued_thirds(const Sample& array) {
    constexpr std::int64_t fewest = 6;
    const std::int64_t rows = array.extents.front(), third = rows / 3;
    const bool is_whole = array.leading == rows;
    if (array.rank() != 2 || !is_whole || third < fewest) return {};
    const std::int64_t some = std::max(fewest, rows_holding(many_values, array.extents.back()));
    const std::int64_t enough = std::min(third, some);
    std::vector<Candidate> candidates;
    for (const std::int64_t first : {std::int64_t{0}, third, 2 * third}) {
        std::optional<Candidate> part = simplest(rows_of(array, {first, enough}));
        if (part) part = continued(*part, rows, first);
        if (part) candidates.push_back(std::move(*part));
    }
    return candidates;
}

/// The arithmetic whose rounding errors are not counted as differences.
enum class Arithmetic { float64, float32 };

/// The resemblance of a table to an array.
struct Likeness {
    double agreeing = 0;    ///< share of equal values beyond chance, at most 1
    double remaining = 1;   ///< root mean square of the differences, relative to the array's spread
    bool is_of_all = true;  ///< the whole array was compared
    /// The change of all values at once that turns the table into the array, if there is one:
    /// "the rows are in another order", "all values are multiplied by -1". "" otherwise.
    std::string change{};
};

constexpr std::int64_t some_values = std::int64_t{1} << 14;

/// The values of a table and of an array, in rows along the last axis.
struct Values {
    std::int64_t rows;
    std::int64_t columns;
    std::vector<double> made;
    std::vector<double> array;
    Arithmetic arithmetic;
    std::vector<bool> is_off;  ///< where the table and the array do not agree
};

/// Returns the angle of an element of the proposal's table; 0 if the table has no angles.
/// `per_index` is the number of elements at one index of the first axis.
double angle_at(const Proposal& proposal, std::int64_t element, std::int64_t per_index) {
    if (!proposal.angle) return 0;
    return std::abs(proposal.angle(element / per_index, element % per_index));
}

/// True if a value of the proposal's table and a value of the array agree within the error of this
/// arithmetic at that angle, or within the sample's noise.
bool is_alike(double made, double given, const Proposal& proposal, double angle,
              const Sample& array, Arithmetic arithmetic) {
    if (made == given || (std::isnan(made) && std::isnan(given))) return true;
    if (!std::isfinite(made) || !std::isfinite(given)) return false;
    const double unit = evidence::unit_of(made, array.precision);
    const bool is_relative = proposal.has_powers;
    const double of_float64 = 0x1p-50 * (is_relative ? 16 * std::abs(made) : 1 + angle);
    const double of_float32 = 0x1p-23 * (is_relative ? 8 * std::abs(made) : 1 + 8 * angle);
    const double error = arithmetic == Arithmetic::float64
                             ? unit + of_float64
                             : std::max(unit, std::abs(made) * 0x1p-22) + of_float32;
    // At angles of millions float32 code has lost everything, and any value would be alike.
    const double most = std::max(unit, std::max(1.0, std::abs(made)) / 16);
    return std::abs(made - given) <= std::min(error, most) + 3 * array.noise;
}

/// Returns some ranges of `count` rows, all of them if they are few: ranges at equal distances,
/// because many tables begin with rows that say nothing, such as those of text tokens.
std::vector<RowRange> spread_ranges(std::int64_t count, std::int64_t enough) {
    if (count <= enough) return {{0, count}};
    const std::int64_t ranges = std::min<std::int64_t>(4, enough);
    const std::int64_t length = enough / ranges;
    std::vector<RowRange> spread;
    for (std::int64_t i = 0; i < ranges; ++i) {
        const std::int64_t last = count - length;
        spread.push_back({ranges == 1 ? 0 : i * last / (ranges - 1), length});
    }
    return spread;
}

/// Returns about `enough` values of the table and of the array; none if they differ in shape.
std::optional<Values> values_of(const Table& made, const Sample& array, const Proposal& proposal,
                                std::int64_t enough = some_values) {
    const Table table = selected(made, proposal);
    if (squeezed(table.shape.extents()) != array.extents) return {};
    const std::int64_t columns = array.rank() == 1 ? 1 : array.extents.back();
    // The table's rows are single values if its last extent is 1.
    const std::int64_t own = table.shape.columns(), row = std::max(own, columns);
    Values values{0, columns, {}, {}, Arithmetic::float64, {}};
    std::vector<double> angles;
    const std::int64_t per_index = table.shape.size() / array.extents.front();
    for (const RowRange& range :
         spread_ranges(std::ssize(array.values) / row, rows_holding(enough, row))) {
        const std::int64_t first = range.first * row, count = range.count * row;
        const std::vector<double> some = read_rows(table, {first / own, count / own});
        values.made.insert(values.made.end(), some.begin(), some.end());
        const auto begin = array.values.begin() + first;
        values.array.insert(values.array.end(), begin, begin + count);
        for (std::int64_t i = first; i < first + count; ++i) {
            angles.push_back(angle_at(proposal, i, per_index));
        }
    }
    const auto count = std::ssize(values.array);
    values.rows = count / columns;
    const auto find_off = [&](Arithmetic arithmetic) {
        values.arithmetic = arithmetic;
        values.is_off.clear();
        for (std::ptrdiff_t i = 0; i < count; ++i) {
            values.is_off.push_back(
                !is_alike(values.made[i], values.array[i], proposal, angles[i], array, arithmetic));
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

double standard_deviation(std::vector<double> values) {
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    const double mean = sum / static_cast<double>(values.size());
    for (double& value : values) value -= mean;
    return root_mean_square(values);
}

std::vector<double> differences(const Values& values) {
    std::vector<double> apart;
    for (std::size_t i = 0; i < values.array.size(); ++i) {
        apart.push_back(values.array[i] - values.made[i]);
    }
    return apart;
}

/// True if the rows, or the columns, of the array are nearly the rows, or columns, of the table in
/// another order.
bool are_in_another_order(const Values& values, bool by_rows) {
    const std::int64_t lines = by_rows ? values.rows : values.columns;
    const std::int64_t length = by_rows ? values.columns : values.rows;
    constexpr std::int64_t most = 2048;
    if (lines < 4 || length < 4 || lines > most) return false;
    // Lines count as equal if their weighted sums are, so that one number for each line is enough.
    std::vector<double> weights;
    for (std::int64_t i = 0; i < length; ++i) {
        weights.push_back(std::cos(1.7 * static_cast<double>(i) + 0.3));
    }
    const auto sums = [&](const std::vector<double>& of) {
        std::vector<double> all;
        for (std::int64_t line = 0; line < lines; ++line) {
            double sum = 0;
            for (std::int64_t i = 0; i < length; ++i) {
                const std::int64_t row = by_rows ? line : i, column = by_rows ? i : line;
                sum += of[row * values.columns + column] * weights[i];
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

/// Returns the change of all values that turns the table into the array, in words; "" if none does.
std::string change_of(const Values& values, const Sample& array) {
    if (std::ranges::count(values.is_off, true) == 0) return "";
    const bool is_all = values.array.size() == array.values.size() && array.has_all_values();
    if (is_all && are_in_another_order(values, true)) return "the rows are in another order";
    if (are_in_another_order(values, false)) return "the channels are in another order";
    return pegen::change_of({values.made, values.array, values.columns});
}

/// Returns float64 if most of the array's first values have the digits of float64 and agree with
/// the table within its errors: then even a difference as small as the errors of float32 code
/// counts.
Arithmetic arithmetic_of(const Table& made, const Sample& array, const Proposal& proposal) {
    if (array.precision.digits <= 24) return Arithmetic::float32;
    const std::optional<Values> values = values_of(made, array, proposal);
    return values ? values->arithmetic : Arithmetic::float32;
}

using Counts = std::unordered_map<double, double>;

Counts counts_of(const std::vector<double>& values) {
    Counts counts;
    for (const double value : values) ++counts[value];
    return counts;
}

/// Returns the share of values that would be equal if those of the table were in any other order:
/// large for masks, for clipped indices, and for the slow cosines of 16 bits.
double agreeing_by_chance(const Values& values) {
    const Counts of_table = counts_of(values.made), of_array = counts_of(values.array);
    double pairs = 0;
    for (const auto& [value, count] : of_table) {
        const auto same = of_array.find(value);
        if (same != of_array.end()) pairs += count * same->second;
    }
    const auto count = static_cast<double>(values.array.size());
    return pairs / (count * count);
}

/// Returns the values without the infinities that both have: masks are alike in all tables that
/// have one. They are no rows any more.
Values without_mask(Values values) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < values.array.size(); ++i) {
        if (std::isinf(values.array[i]) && values.array[i] == values.made[i]) continue;
        values.array[kept] = values.array[i];
        values.made[kept] = values.made[i];
        values.is_off[kept] = values.is_off[i];
        ++kept;
    }
    values.array.resize(kept);
    values.made.resize(kept);
    values.is_off.resize(kept);
    return values;
}

/// Returns the share of equal values, counted from the share that chance would give: 1 if all are
/// equal, 0 if no more than by chance.
double agreeing_beyond_chance(const Values& values) {
    if (values.array.empty()) return 0;
    const auto off = static_cast<double>(std::ranges::count(values.is_off, true));
    const double agreeing = 1 - off / static_cast<double>(values.array.size());
    // Chance, which costs more time than the comparison, leaves a small share a small one.
    constexpr double small = 0.2;
    if (agreeing < small) return agreeing;
    const double by_chance = agreeing_by_chance(values);
    return by_chance == 1 ? 0 : 1 - (1 - agreeing) / (1 - by_chance);
}

/// True if the table has nothing in common with the array in these values, not even the values of
/// each row in another order.
bool are_unlike(Values values) {
    constexpr double hardly_any = 0.05, hardly = 0.3, nearly_same = 0.05;
    const auto off = static_cast<double>(std::ranges::count(values.is_off, true));
    if (off < (1 - hardly_any) * static_cast<double>(values.array.size())) return false;
    if (std::abs(evidence::correlation_of(values.made, values.array)) > hardly) return false;
    for (std::vector<double>* const list : {&values.made, &values.array}) {
        for (auto row = list->begin(); row != list->end(); row += values.columns) {
            std::sort(row, row + values.columns);
        }
    }
    return root_mean_square(differences(values)) > nearly_same * standard_deviation(values.array);
}

/// Compares a table with some ten thousand values of the array, or with some thousand if they have
/// nothing in common.
Likeness likeness_of(const Table& made, const Sample& array, const Proposal& proposal) {
    constexpr std::int64_t few_values = 1 << 11;
    if (std::ssize(array.values) > some_values) {
        const std::optional<Values> few = values_of(made, array, proposal, few_values);
        if (!few || few->array.empty() || are_unlike(*few)) return {};
    }
    const std::optional<Values> values = values_of(made, array, proposal);
    if (!values || values->array.empty()) return {};
    const std::vector<double> apart = differences(*values);
    std::vector<double> compared;  // a large number in a mask is beside an infinity
    for (std::size_t i = 0; i < apart.size(); ++i) {
        if (std::isfinite(apart[i])) compared.push_back(values->array[i]);
    }
    const double spread = compared.empty() ? 0 : standard_deviation(std::move(compared));
    return {
        agreeing_beyond_chance(without_mask(*values)),
        spread == 0 ? std::numeric_limits<double>::infinity() : root_mean_square(apart) / spread,
        std::ssize(values->array) == array.table.shape.size(), change_of(*values, array)};
}

/// The places where values are off, as rows and columns of the last axis.
struct Off {
    explicit Off(std::int64_t columns) : in_column(columns, false) {}

    std::int64_t values = 0;
    std::vector<std::int64_t> rows;
    std::vector<bool> in_column;
    double sum_of_squares = 0;   ///< sum over the differences that are finite
    double made = 0, given = 0;  ///< the last such value, in the table and in the array

    void add(std::int64_t row, std::int64_t column, double of_table, double of_array) {
        const double apart = of_array - of_table;
        made = of_table;
        given = of_array;
        ++values;
        if (rows.empty() || rows.back() != row) rows.push_back(row);
        in_column[column] = true;
        if (std::isfinite(apart)) sum_of_squares += apart * apart;
    }

    /// Adds the differences found in other rows.
    void add(const Off& other) {
        values += other.values;
        if (other.values > 0) {
            made = other.made;
            given = other.given;
        }
        rows.insert(rows.end(), other.rows.begin(), other.rows.end());
        for (std::size_t i = 0; i < in_column.size(); ++i) {
            in_column[i] = in_column[i] || other.in_column[i];
        }
        sum_of_squares += other.sum_of_squares;
    }
};

/// Returns the indices at which the list is true.
std::vector<std::int64_t> indices_of(const std::vector<bool>& list) {
    std::vector<std::int64_t> indices;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i]) indices.push_back(static_cast<std::int64_t>(i));
    }
    return indices;
}

/// Returns the differences in `count` elements from the element `first` on, which are whole rows of
/// the last axis of both tables.
Off off_in(const Table& made, const Sample& array, const Proposal& proposal, Arithmetic arithmetic,
           std::int64_t first, std::int64_t count) {
    const auto read = [=](const Table& table) {
        const std::int64_t columns = table.shape.columns();
        return read_rows(table, {first / columns, count / columns});
    };
    const std::vector<double> ours = read(made), theirs = read(array.table);
    const std::int64_t columns = array.rank() == 1 ? 1 : array.extents.back();
    const std::int64_t per_index = made.shape.size() / array.extents.front();
    Off off(columns);
    for (std::int64_t i = 0; i < count; ++i) {
        const double a = ours[i], b = theirs[i];
        const std::int64_t element = first + i;
        const double angle = angle_at(proposal, element, per_index);
        if (is_alike(a, b, proposal, angle, array, arithmetic)) continue;
        off.add(element / columns, element % columns, a, b);
    }
    return off;
}

Off all_off(const Table& made, const Sample& array, const Proposal& proposal, Arithmetic arithmetic,
            const Progress& progress) {
    // Rows differ in length if one of the tables has extents of 1 that the other lacks; but each
    // longer row is a whole number of shorter rows.
    const std::int64_t row = std::max(made.shape.columns(), array.table.shape.columns());
    const std::int64_t rows = made.shape.size() / row;
    const std::int64_t rows_in_block = rows_holding(1 << 16, row);
    const std::int64_t blocks = (rows + rows_in_block - 1) / rows_in_block;
    Off off(array.rank() == 1 ? 1 : array.extents.back());
    std::mutex mutex;
    std::int64_t done = 0;
    parallel_for(blocks, [&](std::int64_t block) {
        const std::int64_t first = block * rows_in_block;
        const std::int64_t count = std::min(rows_in_block, rows - first);
        const Off here = off_in(made, array, proposal, arithmetic, first * row, count * row);
        const std::lock_guard lock(mutex);
        off.add(here);
        progress(done += count, rows);
    });
    std::ranges::sort(off.rows);
    return off;
}

/// Returns the indices along `axis` at which the given rows of the last axis are.
std::vector<std::int64_t> indices_along(std::size_t axis, const std::vector<std::int64_t>& rows,
                                        const std::vector<std::int64_t>& extents) {
    const auto of_rows = std::span(extents).first(extents.size() - 1);
    std::vector<bool> has(extents[axis]);
    for (const std::int64_t row : rows) has[index_of(row, of_rows)[axis]] = true;
    return indices_of(has);
}

/// Returns indices in words: "row 3", "rows 3 and 5", "rows 10 to 19", "rows 1, 5, 9, 12, 13 and 22
/// more".
std::string indices_text(std::string_view noun, const std::vector<std::int64_t>& indices) {
    const auto count = std::ssize(indices);
    if (count == 1) return fmt::format("{} {}", noun, indices.front());
    if (count == 2) return fmt::format("{}s {} and {}", noun, indices[0], indices[1]);
    const bool is_run = std::ranges::adjacent_find(
                            indices, [](auto a, auto b) { return b != a + 1; }) == indices.end();
    if (is_run) {
        return fmt::format("{}s {} to {}", noun, indices.front(), indices.back());
    }
    constexpr std::ptrdiff_t most = 5;
    if (count <= most) {
        return fmt::format("{}s {}", noun, joined(indices, ", "));
    }
    const std::vector<std::int64_t> first(indices.begin(), indices.begin() + most);
    return fmt::format("{}s {} and {} more", noun, joined(first, ", "), count - most);
}

/// True if a number in the text has a point and more digits than people type, such as 26.918.
bool has_many_digits(std::string_view text) {
    constexpr int most = 4;
    int digits = 0;
    bool has_point = false;
    for (const char c : text) {
        if (c >= '0' && c <= '9') {
            ++digits;
        } else if (c == '.') {
            has_point = true;
        } else {
            digits = 0;
            has_point = false;
        }
        if (has_point && digits > most) return true;
    }
    return false;
}

/// True if the number is a multiple of 1/64, such as 1/32 = 0.03125.
bool is_simple_fraction(const Value& value) {
    const double* const number = std::get_if<double>(&value);
    return number && std::rint(64 * *number) == 64 * *number;
}

/// True if a preset has this very number, so that the command with the preset's name does without
/// this option.
bool is_of_preset(const Candidate& candidate, const std::string& option) {
    return std::ranges::any_of(candidate.presets, [&](const std::string& preset) {
        return preset.find(option) == std::string::npos;
    });
}

/// Returns a number of the command that nobody would type, "--base 26.918"; "" if there is none, or
/// if the command is a preset's.
std::string unusual_number(const Candidate& candidate) {
    for (const Parameters::Entry& entry : candidate.parameters.entries()) {
        const bool is_text = entry.spec->type == ParameterType::text;
        const bool is_number = std::holds_alternative<double>(entry.value) ||
                               std::holds_alternative<std::vector<double>>(entry.value);
        if (entry.origin != Origin::user || !(is_text || is_number)) continue;
        const std::string text = to_string(entry);
        if (!has_many_digits(text) || is_simple_fraction(entry.value)) continue;
        const std::string option = fmt::format("--{} {}", entry.spec->name, text);
        if (!is_of_preset(candidate, fmt::format("--{} ", entry.spec->name))) return option;
    }
    return "";
}

/// Returns in words what the array has in a run of rows: ", which are 0", ", which pe-gen rope
/// --len 100 --start 200 makes"; "" if that is not known, or if the rows are no run.
std::string piece_text(const Sample& array, const std::vector<std::int64_t>& rows) {
    constexpr std::int64_t fewest = 6;
    const auto count = std::ssize(rows);
    const bool is_run = rows.back() - rows.front() + 1 == count;
    if (array.rank() != 2 || !is_run || rows.back() >= array.leading) return "";
    const Sample piece = rows_of(array, {rows.front(), count});
    const double first = piece.values.front();
    if (std::ranges::all_of(piece.values, [=](double value) { return value == first; })) {
        return fmt::format(", which are {:.6g}", first);
    }
    if (count < fewest) return "";
    const std::optional<Candidate> candidate = simplest(piece);
    if (!candidate || !unusual_number(*candidate).empty()) return "";
    const auto command = command_of(*candidate, nullptr, candidate->table->dtype);
    return fmt::format(", which {} makes", joined(command, " "));
}

/// Returns in words where the whole array differs from the table: "rows 10 to 19", "channel 17",
/// "one value, at (3, 17)", "912 of 1536 values, by 0.01 on average"; "" if it does not differ.
/// Precondition: equal shapes, apart from extents of 1.
std::string departure_from(const Table& made, const Sample& array, const Proposal& proposal,
                           const Progress& progress) {
    const Table table = selected(made, proposal);
    if (squeezed(table.shape.extents()) != array.extents) return "its shape";
    const Off off = all_off(table, array, proposal, arithmetic_of(made, array, proposal), progress);
    if (off.values == 0) return "";
    const std::vector<std::int64_t> columns = indices_of(off.in_column);
    std::vector<std::int64_t> extents = array.extents;
    if (extents.size() == 1) extents.push_back(1);
    if (off.values == 1) {
        const std::int64_t element = off.rows.front() * extents.back() + columns.front();
        const int digits = array.precision.digits > 24 ? 17 : 9;
        return fmt::format("one value, at ({}): {:.{}g} instead of {:.{}g}",
                           joined(index_of(element, array.extents), ", "), off.given, digits,
                           off.made, digits);
    }
    const std::int64_t all = table.shape.size();
    std::vector<std::string> places;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        const bool is_last = axis + 1 == extents.size();
        const std::vector<std::int64_t> indices =
            is_last ? columns : indices_along(axis, off.rows, extents);
        if (3 * std::ssize(indices) > 2 * extents[axis]) continue;
        places.push_back(is_last ? indices_text("channel", indices)
                         : axis + 2 == extents.size()
                             ? indices_text("row", indices)
                             : fmt::format("{} of axis {}", indices_text("slice", indices), axis));
    }
    if (!places.empty()) {
        return fmt::format("{} values in {}{}", off.values, joined(places, ", "),
                           piece_text(array, off.rows));
    }
    if (const auto values = values_of(made, array, proposal)) {
        const std::string noise = noise_of({values->made, values->array, values->columns});
        if (!noise.empty()) return noise;
    }
    if (off.sum_of_squares == 0)
        return fmt::format("{} of {} values, none of them by a finite number", off.values, all);
    const double size = std::sqrt(off.sum_of_squares / static_cast<double>(all));
    return fmt::format("{} of {} values, by {:.2g} on average", off.values, all, size);
}

/// The properties of an array that an answer mentions beside the command that makes the array.
struct AnsweredArray {
    DType dtype;                    ///< dtype of the file
    evidence::Precision precision;  ///< format of its values
    std::string view;               ///< how it was looked at: View::note
};

/// Returns the dtype in which the table equals the array, if the table can have that dtype.
DType dtype_of(const Candidate& candidate, DType array) {
    const DType own = candidate.table->dtype;
    if (is_floating(own) != is_floating(array)) return own;
    return is_floating(own) || array == DType::int32 ? array : own;
}

/// Returns in words which rows and channels of the table the array has; "" if it has all.
std::string part_of(const Proposal& proposal) {
    std::vector<std::string> parts;
    bool is_in_order = true;
    const auto add = [&](std::string_view noun, const std::vector<std::int64_t>& chosen) {
        if (chosen.empty()) return;
        is_in_order = is_in_order && std::ranges::is_sorted(chosen);
        parts.push_back(indices_text(noun, chosen));
    };
    add("row", proposal.rows);
    add("channel", proposal.channels);
    if (parts.empty()) return "";
    return fmt::format("the array has {} of the table{}", joined(parts, " and "),
                       is_in_order ? "" : ", in this order");
}

/// Returns in words the files that the command needs; "" if it needs none.
std::string files_of(const Proposal& proposal) {
    std::vector<std::string_view> names;
    for (const evidence::DataFile& data : proposal.data) names.push_back(data.name);
    if (names.empty()) return "";
    return fmt::format("the command reads {}, which identify --data FOLDER writes",
                       joined(names, ", "));
}

/// Returns a note if the values have the format of a dtype narrower than the array's; "" otherwise.
std::string narrower_format(const AnsweredArray& array) {
    const DTypeInfo &own = info(array.dtype), &values = info(array.precision.dtype);
    if (!is_floating(array.dtype) || values.size >= own.size) return "";
    return fmt::format("the array is of {}, its values are those of {}", own.name, values.name);
}

/// Returns a note on how the listed positions count; "" if there is no short rule.
std::string counted_positions(const Candidate& candidate) {
    const std::string counting = counting_text(positions_of(candidate));
    return counting.empty() ? "" : fmt::format("the positions {}", counting);
}

std::string doubt_about(const std::string& number) {
    if (number.empty()) return "";
    return fmt::format(
        "{} is no usual number: at this size it may stand for another formula, such as a scaled "
        "base",
        number);
}

/// Returns a note if rope's base is a popular one with its exponent divided by the width of several
/// heads, not of one; "" otherwise.
std::string width_of_heads(const Parameters& p) {
    if (!p.knows("base") || !p.knows("d") || !p.knows("scaling")) return "";
    constexpr double error = 1e-9;
    const double base = parse_real(to_string(p.value("base")), "base");
    const auto roots = is_known_base(base) ? std::vector<BaseRoot>()
                                           : roots_within({base * (1 - error), base * (1 + error)});
    if (roots.empty()) return "";
    const BaseRoot& root = roots.front();
    const std::int64_t d = p.integer("d");
    return fmt::format(
        "of base {} the exponent is divided by {}, the width of {} heads, not by {}, the width of "
        "one",
        root.base, d * static_cast<std::int64_t>(root.heads), root.heads, d);
}

/// Returns a note on a parameter that a known mistake makes what it is; "" if there is none.
std::string mistake_of(const Candidate& candidate) {
    const Parameters& p = candidate.parameters;
    if (std::string note = width_of_heads(p); !note.empty()) return note;
    if (p.knows("base") && to_string(p.value("base")) == "exp(4)") {
        return "base exp(4): the logarithm of 10000 to base 10 is taken for the natural one";
    }
    const bool has_factor = p.knows("attention-factor") && p.has("attention-factor");
    if (!has_factor || p.word("scaling") != "yarn" || !p.has("factor")) return "";
    return twice_text(p.real("attention-factor"), p.real("factor"));
}

/// True if the preset is the encoding as its paper has it: vaswani.
bool is_of_defaults(std::string_view preset) {
    const Preset* const found = find_preset(preset.substr(0, preset.find(' ')));
    return found && found->settings.empty();
}

/// Sets the command and the notes of the candidate, and puts the presets' best known name first.
void describe(Candidate& candidate, const AnsweredArray& array) {
    std::stable_partition(candidate.presets.begin(), candidate.presets.end(), is_of_defaults);
    candidate.command = command_of(candidate, nullptr, dtype_of(candidate, array.dtype));
    if (auto file = positions_file_of(candidate)) {
        candidate.proposal.data.push_back(std::move(*file));
    }
    candidate.notes = candidate.proposal.notes;
    for (const std::string& note :
         {part_of(candidate.proposal), files_of(candidate.proposal), array.view,
          narrower_format(array), counted_positions(candidate), mistake_of(candidate),
          doubt_about(unusual_number(candidate))}) {
        if (!note.empty()) candidate.notes.push_back(note);
    }
}

double misfit_of(const Candidate& candidate, const Sample& array) {
    const Agreement& found = candidate.agreement;
    // Most code computes in float32, so errors of float32 say little against a candidate; but an
    // array of float64 has digits that float32 code does not explain.
    const double of_float32 = array.precision.digits > 24 ? 100 : 10;
    const double of_level = found.level == Level::float32 ? of_float32 : 0;
    const auto values = static_cast<double>(found.values);
    const double part = static_cast<double>(found.unequal) / values;
    // Code in float32 is exact enough for 16 bits, so a value in 16 bits that is not the rounded
    // exact value counts against the candidate.
    if (array.precision.digits < 24) {
        constexpr double usual = 0.002;
        return of_level + 4 * std::max(0.0, part - usual) * values;
    }
    // Powers in float32 are all off by a little if their base is.
    if (candidate.table->has_powers && found.level == Level::float32 &&
        array.precision.digits == 24) {
        return of_level + static_cast<double>(found.unequal) / 2;
    }
    constexpr double usual = 0.01;
    return std::max(of_level, std::min(10.0, 500 * std::max(0.0, part - usual)));
}

/// Returns the bits that free values cost in an array of doubles beyond the 24 digits that the
/// candidate's price includes.
double bits_of_doubles(const Candidate& candidate, const Sample& array) {
    double values = 0;
    for (const evidence::DataFile& data : candidate.proposal.data) {
        if (is_floating(data.table.dtype)) values += static_cast<double>(data.table.shape.size());
    }
    return values * std::max(0, array.precision.digits - 24);
}

/// Returns the price of the array described by the candidate, in bits: the price of the parameters,
/// and of the values that are not exactly the candidate's. The least price is best.
/// Precondition: the candidate agrees at some level.
double score_of(const Candidate& candidate, const Sample& array) {
    return candidate.bits + misfit_of(candidate, array);
}

/// True if the values are enough evidence to report the candidate.
bool is_supported(const Candidate& candidate, const Sample& array) {
    const bool is_unusual = !unusual_number(candidate).empty();
    // Free points together with unusual numbers fit too many arrays.
    if (!candidate.proposal.data.empty() && is_unusual) return false;
    // Angles that float32 code has nearly lost also fit too many arrays, unless the numbers are
    // plain.
    constexpr double lost = 1e-3, most_bits_of_plain = 45;
    const double unit = evidence::unit_of(1, array.precision);
    const bool is_vague = candidate.agreement.level == Level::float32 &&
                          candidate.agreement.largest > lost + 2 * unit;
    if (is_vague && (is_unusual || candidate.bits > most_bits_of_plain)) return false;
    // Any geometric progression is a vector of frequencies for some base.
    if (array.rank() == 1 && is_unusual) return false;
    constexpr double least_evidence = 30;  // in bits, beyond the candidate's price
    return candidate.agreement.level != Level::none &&
           candidate.agreement.evidence - candidate.bits - bits_of_doubles(candidate, array) >=
               least_evidence;
}

/// The candidates that rivals_among() keeps.
enum class Kept {
    rivals,  ///< candidates that cost little more than the best one
    all,     ///< dearer candidates, too: the whole array may refute the best ones
};

/// The most bits that a rival may cost more than the best candidate. If a word differs, such as
/// another scaling, its numbers add to the price, but people choose either word as readily. If both
/// draw the same numbers, the number of their options says little about which one drew them.
constexpr double close_bits = 10, close_bits_of_words = 32, close_bits_of_draws = 20;

/// True if both candidates are of one table and differ in a word or a flag.
bool differ_in_words(const Candidate& a, const Candidate& b) {
    if (a.table != b.table) return false;
    return std::ranges::any_of(a.parameters.entries(), [&](const Parameters::Entry& entry) {
        const ParameterType type = entry.spec->type;
        const bool is_word = type == ParameterType::word || type == ParameterType::flag;
        return is_word && !are_same(entry.value, b.parameters.value(entry.spec->name));
    });
}

bool is_drawn(const Candidate& candidate) { return candidate.parameters.knows("seed"); }

/// Returns how many bits more than `best` a candidate may cost to be its rival.
double close_bits_to(const Candidate& best, const Candidate& candidate) {
    if (differ_in_words(best, candidate)) return close_bits_of_words;
    return is_drawn(best) && is_drawn(candidate) ? close_bits_of_draws : close_bits;
}

/// Returns the candidates that agree with the values in memory, the best first.
std::vector<Candidate> rivals_among(std::vector<Candidate> candidates, const Sample& array,
                                    Kept which) {
    std::ranges::stable_sort(candidates, {}, &Candidate::bits);
    std::vector<Candidate> kept;
    double least = std::numeric_limits<double>::infinity();
    std::optional<Candidate> best;
    const auto is_too_dear = [&](const Candidate& candidate) {
        return best && candidate.bits > least + close_bits_to(*best, candidate);
    };
    // Several are compared at a time, the more, the longer the best one is not known.
    std::span<Candidate> left = candidates;
    for (std::size_t count = 1; !left.empty(); count *= 2) {
        const std::span<Candidate> next = left.first(std::min(count, left.size()));
        left = left.subspan(next.size());
        parallel_for(std::ssize(next), [&](std::int64_t i) {
            Candidate& candidate = next[i];
            candidate.agreement = {};
            if (is_too_dear(candidate)) return;
            if (const std::optional<Table> table = table_of(candidate, array.precision)) {
                candidate.agreement =
                    agreement_of(*table, array, candidate.proposal, Scope::leading);
            }
        });
        for (Candidate& candidate : next) {
            if (candidate.agreement.values == 0 || is_too_dear(candidate) ||
                !is_supported(candidate, array)) {
                continue;
            }
            const double score = score_of(candidate, array);
            if (which == Kept::rivals && score < least) {
                least = score;
                best = candidate;
            }
            kept.push_back(std::move(candidate));
        }
    }
    const auto score = [&](const Candidate& candidate) { return score_of(candidate, array); };
    std::ranges::stable_sort(kept, {}, score);
    return kept;
}

/// True if a candidate agrees with the array as closely as the best one and costs so little more
/// that it may be the one that was used.
bool is_rival(const Candidate& candidate, const Candidate& best, const Sample& array) {
    return candidate.agreement.level <= best.agreement.level &&
           score_of(candidate, array) <= score_of(best, array) + close_bits_to(best, candidate);
}

struct Near {
    Candidate candidate;
    Likeness likeness;
    Sample array;
    std::string note;
};

/// The largest Likeness::remaining at which a table is near an array that has noise: the table
/// explains seven eighths of the array's variance.
constexpr double most_remaining = 0.35;

/// True if a table is near enough to be reported: many values are equal, or all differ by little.
/// Within much noise any table agrees.
bool is_near(const Likeness& likeness, const Sample& array) {
    constexpr double about_half = 0.45, several = 3;
    // The values of the array are all far smaller than the values of the table.
    if (!(likeness.remaining <= several)) return false;
    // The table agrees, but the values are too little evidence.
    if (array.noise == 0 && likeness.agreeing == 1 && likeness.is_of_all) return false;
    return (array.noise == 0 && likeness.agreeing >= about_half) ||
           likeness.remaining <= most_remaining;
}

/// True if the table says more of the array than its command costs: some bits of each value that is
/// equal, and of each value within noise the fewer, the larger the noise is.
bool is_worth_naming(const Candidate& candidate, const Likeness& likeness, const Sample& array) {
    constexpr double most_bits = 2;
    const double of_noise = std::clamp(-std::log2(likeness.remaining), 0.0, most_bits);
    const double of_equal = array.noise == 0 ? most_bits * likeness.agreeing : 0;
    return candidate.bits <=
           std::max(of_equal, of_noise) * static_cast<double>(array.values.size());
}

bool is_close(const Near& near) {
    constexpr double nearly_all = 0.9, hardly = 1e-3;
    return near.likeness.agreeing > nearly_all || near.likeness.remaining < hardly;
}

bool is_nearer(const Near& a, const Near& b) {
    // A table that differs in very few values is nearer than a table of which all values are
    // changed.
    constexpr double nearly_all = 0.98;
    const auto is_nearly_it = [](const Near& near) {
        return near.likeness.change.empty() && near.likeness.agreeing > nearly_all;
    };
    if (is_nearly_it(a) != is_nearly_it(b)) return is_nearly_it(a);
    if (a.likeness.change.empty() != b.likeness.change.empty()) return !a.likeness.change.empty();
    if (!a.likeness.change.empty()) return a.candidate.bits < b.candidate.bits;
    // More digits in the numbers are not worth a slightly better agreement.
    const auto worth = [](const Near& near) {
        return near.likeness.agreeing - near.candidate.bits / 1000;
    };
    constexpr double much = 0.02;
    if (std::abs(worth(a) - worth(b)) > much) return worth(a) > worth(b);
    constexpr double clearly = 0.9;
    const double smaller = std::min(a.likeness.remaining, b.likeness.remaining);
    const double larger = std::max(a.likeness.remaining, b.likeness.remaining);
    if (smaller < clearly * larger) return a.likeness.remaining == smaller;
    return a.candidate.bits < b.candidate.bits;
}

/// Updates the nearest candidate; returns the candidates that may be near when the array is given
/// more noise.
std::vector<Candidate> keep_nearest(std::optional<Near>& nearest,
                                    const std::vector<Candidate>& candidates, const Sample& array,
                                    const std::string& note, const Progress& progress) {
    // A command that costs as much as the whole array is no convention.
    constexpr double bits_of_value = 2;
    const double most_bits = bits_of_value * static_cast<double>(array.values.size());
    std::vector<std::optional<Likeness>> likenesses(candidates.size());
    parallel_for(std::ssize(candidates), [&](std::int64_t i) {
        progress(0, 0);
        const Candidate& candidate = candidates[i];
        if (candidate.bits > most_bits) return;
        if (const std::optional<Table> table = table_of(candidate, array.precision)) {
            likenesses[i] = likeness_of(*table, array, candidate.proposal);
        }
    });
    std::vector<Candidate> near_within_noise;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (!likenesses[i]) continue;
        const Candidate& candidate = candidates[i];
        const Likeness& likeness = *likenesses[i];
        if (likeness.remaining <= most_remaining) near_within_noise.push_back(candidate);
        const bool is_explained =
            !likeness.change.empty() ||
            (is_near(likeness, array) && is_worth_naming(candidate, likeness, array));
        if (!is_explained) continue;
        Near near{candidate, likeness, array, note};
        if (!nearest || is_nearer(near, *nearest)) nearest = std::move(near);
    }
    return near_within_noise;
}

/// True if the list holds consecutive numbers, such as 3 4 5 6, but in another order. One of them
/// may be missing: a row of zeros has no position.
template <class T>
bool is_shuffled_run(std::vector<T> list) {
    constexpr std::size_t least = 8;
    if (list.size() < least || std::ranges::is_sorted(list) ||
        std::ranges::is_sorted(list, std::ranges::greater())) {
        return false;
    }
    std::ranges::sort(list);
    bool has_gap = false;
    for (std::size_t i = 1; i < list.size(); ++i) {
        const auto step = list[i] - list[i - 1];
        if (step != 1 && (step != 2 || has_gap)) return false;
        has_gap = has_gap || step == 2;
    }
    return true;
}

/// Returns the extents of the candidate's table and its values, of a large table some rows at equal
/// distances; none if there is no such table.
std::vector<double> numbers_of(const Candidate& candidate) {
    const auto table = table_of(candidate, evidence::precision_of(DType::float64));
    if (!table) return {};
    const std::vector<std::int64_t>& extents = table->shape.extents();
    std::vector<double> numbers(extents.begin(), extents.end());
    const std::int64_t enough = rows_holding(some_values, table->shape.columns());
    for (const RowRange& range : spread_ranges(table->shape.rows(), enough)) {
        const std::vector<double> values = read_rows(*table, range);
        numbers.insert(numbers.end(), values.begin(), values.end());
    }
    return numbers;
}

/// Gives the candidate the default of each parameter that it has otherwise, if `is_as_good` holds
/// for the simpler candidate and the parameter that is left out.
template <class Test>
void leave_out_options(Candidate& candidate, Test is_as_good) {
    const Parameters defaults(candidate.encoding->parameters);
    for (const Parameters::Entry& entry : defaults.entries()) {
        const std::string_view name = entry.spec->name;
        const bool is_set = !are_same(candidate.parameters.value(name), entry.value);
        if (!is_set || entry.spec->is_extent() || entry.spec->type == ParameterType::path) continue;
        Candidate simpler = candidate;
        simpler.parameters.resolve(name, entry.value);
        simpler.bits = price_of(simpler);
        if (is_as_good(simpler, *entry.spec)) candidate = std::move(simpler);
    }
}

/// Returns the answer that names the nearest candidate and where the array differs from it.
Identification departing(Candidate candidate, const std::string& note, std::string departure) {
    leave_out_options(candidate,
                      [numbers = numbers_of(candidate)](const Candidate& simpler, auto&) {
                          return numbers_of(simpler) == numbers;
                      });
    candidate.command = command_of(candidate, nullptr, candidate.table->dtype);
    candidate.notes = candidate.proposal.notes;
    if (!note.empty()) candidate.notes.push_back(note);
    Identification answer;
    answer.departure = std::move(departure);
    answer.nearest = std::move(candidate);
    return answer;
}

/// True if the list is a few ranges of consecutive numbers: rows that are moved round, for example.
bool is_of_few_ranges(const std::vector<double>& positions) {
    constexpr std::ptrdiff_t most = 3;
    std::ptrdiff_t ranges = 1;
    for (std::size_t i = 1; i < positions.size(); ++i) {
        ranges += positions[i] != positions[i - 1] + 1 ? 1 : 0;
    }
    return ranges <= most;
}

/// Returns the answer for a candidate that agrees with the array only if its rows or channels are
/// in an order that nobody chooses: the same candidate in the usual order, as the nearest one. None
/// if the order is usual.
std::optional<Identification> in_another_order(const Candidate& candidate) {
    Identification answer;
    answer.nearest = candidate;
    Candidate& usual = *answer.nearest;
    if (is_shuffled_run(candidate.proposal.channels)) {
        answer.departure = "the channels are in another order";
    } else if (is_shuffled_run(candidate.proposal.rows)) {
        answer.departure = "the rows are in another order";
    } else if (const std::vector<double> positions = positions_of(candidate);
               is_shuffled_run(positions) && !is_of_few_ranges(positions)) {
        answer.departure = "the rows are in another order";
        const double first = *std::ranges::min_element(positions);
        usual.parameters.resolve("positions", Value());
        usual.parameters.set("len", fmt::format("{}", positions.size()), Origin::user);
        usual.parameters.set("start", fmt::format("{}", first), Origin::user);
    } else {
        return {};
    }
    usual.proposal.rows.clear();
    usual.proposal.channels.clear();
    usual.agreement.level = Level::none;
    usual.command = command_of(usual, nullptr, usual.table->dtype);
    return answer;
}

/// Returns the answer for an array whose first values, but not all values, agree with a candidate:
/// where the array differs from the candidate. `note` says how the array was looked at; it may be
/// empty.
/// Precondition: the candidate's encoding can make its table.
Identification left_by(const Candidate& candidate, const std::string& note, const Sample& array,
                       const Progress& progress) {
    const std::optional<Table> table = table_of(candidate, array.precision);
    return departing(candidate, note, departure_from(*table, array, candidate.proposal, progress));
}

/// Returns the answer that names the nearest candidate and where the array differs from it; an
/// empty answer if there is none.
Identification answer_with(std::optional<Near> nearest, const Progress& progress) {
    if (!nearest) return {};
    if (!nearest->likeness.change.empty()) {
        return departing(nearest->candidate, nearest->note, nearest->likeness.change);
    }
    nearest->array.noise = 0;
    Identification answer = left_by(nearest->candidate, nearest->note, nearest->array, progress);
    return answer.departure.empty() ? Identification() : answer;
}

/// Returns the answer for an array that is drawn but for some values: the nearest of the
/// candidates, and where the array differs from it.
Identification nearest_drawn(const std::vector<View>& views,
                             const std::vector<std::vector<Candidate>>& candidates,
                             const Progress& progress) {
    std::optional<Near> nearest;
    for (std::size_t i = 0; i < views.size() && !nearest; ++i) {
        keep_nearest(nearest, candidates[i], views[i].sample(), views[i].note, progress);
    }
    return answer_with(std::move(nearest), progress);
}

/// Returns the answer for an array that no command makes: the nearest convention that has at least
/// some of its values, and where the array differs from it. `candidates` are the candidates that
/// were tried, for each view.
Identification nearest_to(const std::vector<View>& views,
                          const std::vector<std::vector<Candidate>>& candidates,
                          const Progress& progress) {
    // If noise is allowed, only the most usual views of the array are tried.
    constexpr std::array noises{0.0, 1e-4, 1e-2, 1e-1};
    constexpr std::size_t most_noisy = 3;
    std::optional<Near> nearest;
    for (std::size_t i = 0; i < views.size() && !nearest; ++i) {
        Sample sample = views[i].sample();
        const double spread = standard_deviation(sample.values);
        if (i == 0)
            keep_nearest(nearest, continued_thirds(sample), sample, views[i].note, progress);
        // In many values a search within noise takes long, so it needs a sign that there is a
        // table.
        const bool has_many = std::ssize(sample.values) > many_values;
        const bool may_be_noisy =
            i < most_noisy &&
            (!has_many || evidence::are_rows_alike(sample.values, sample.extents.back()));
        std::vector<Candidate> of_view = candidates[i];
        for (const double noise : noises) {
            // Values that are not spread more than the noise say nothing.
            if (noise > 0 && (!may_be_noisy || spread <= noise)) break;
            if (noise > 0 && has_many) sample = shortened(sample, many_values);
            sample.noise = noise;
            of_view = keep_nearest(nearest, of_view, sample, views[i].note, progress);
            if (noise > 0) {
                keep_nearest(nearest, recognized(sample, progress), sample, views[i].note,
                             progress);
            }
            if (nearest && (!nearest->likeness.change.empty() || nearest->likeness.agreeing > 0.5))
                break;
        }
    }
    if (!nearest || nearest->array.noise > 0 || !is_close(*nearest)) {
        const Sample sample = views.front().sample();
        keep_nearest(nearest, fitted_images(sample), sample, views.front().note, progress);
    }
    return answer_with(std::move(nearest), progress);
}

constexpr std::size_t most_alternatives = 6;

/// True if the candidate agrees with the array as closely as `found` does.
bool agrees(Candidate& candidate, const Candidate& found, const Sample& array) {
    const std::optional<Table> table = table_of(candidate, array.precision);
    if (!table) return false;
    candidate.agreement = agreement_of(*table, array, candidate.proposal, Scope::leading);
    return candidate.agreement.values > 0 && candidate.agreement.level <= found.agreement.level;
}

/// Returns `found` with another value of a parameter; none if the value is not allowed.
std::optional<Candidate> with(const Candidate& found, std::string_view name,
                              const std::string& text) {
    Candidate changed = found;
    try {
        changed.parameters.set(name, text, Origin::user);
    } catch (const UsageError&) {
        return {};
    }
    changed.presets.clear();
    changed.bits = price_of(changed);
    return changed;
}

bool is_idle(const Candidate& found, std::string_view name) {
    return has_word(found.table->idle_parameters, name);
}

/// Returns the other values that words and flags of the candidate may have.
std::vector<Setting> other_choices(const Candidate& found) {
    std::vector<Setting> choices;
    for (const Parameters::Entry& entry : found.parameters.entries()) {
        if (is_idle(found, entry.spec->name) || entry.spec->role == Role::arithmetic) continue;
        const std::string value = to_string(entry);
        if (entry.spec->type == ParameterType::flag) {
            choices.push_back({entry.spec->name, value == "true" ? "false" : "true"});
        }
        if (entry.spec->type != ParameterType::word) continue;
        for (const std::string_view choice : words(entry.spec->choices)) {
            if (choice != value) choices.push_back({entry.spec->name, std::string(choice)});
        }
    }
    return choices;
}

/// Returns the two numbers next to a number, by one in its last digit: 2 and 0 for 1, 20000 and 0
/// for 10000, 0.4 and 0.2 for 0.3, 12346 and 12344 for 12345.
std::vector<std::string> next_to(double number) {
    const std::string text = shortest(number);
    const std::size_t exponent_at = std::min(text.find('e'), text.size());
    std::string digits = text.substr(0, exponent_at);
    int exponent = exponent_at == text.size() ? 0 : std::stoi(text.substr(exponent_at + 1));
    if (const std::size_t point = digits.find('.'); point != digits.npos) {
        exponent -= static_cast<int>(digits.size() - point - 1);
        digits.erase(point, 1);
    } else {
        while (digits.size() > 1 && digits.back() == '0') {
            digits.pop_back();
            ++exponent;
        }
    }
    const std::int64_t mantissa = std::stoll(digits);
    std::vector<std::string> numbers;
    for (const std::int64_t other : {mantissa + 1, mantissa - 1}) {
        const std::string written = fmt::format("{}e{}", other, exponent);
        double value = 0;
        if (read_double(written, value).ec == std::errc()) numbers.push_back(shortest(value));
    }
    return numbers;
}

/// Returns, for each number of the candidate, the numbers next to it. If they make the same array,
/// the array does not show the number, or not all of its digits.
std::vector<Setting> other_numbers(const Candidate& found) {
    std::vector<Setting> numbers;
    for (const Parameters::Entry& entry : found.parameters.entries()) {
        if (entry.spec->is_extent() || is_idle(found, entry.spec->name)) continue;
        if (const auto* integer = std::get_if<std::int64_t>(&entry.value)) {
            for (const std::int64_t other : {*integer + 1, *integer - 1}) {
                numbers.push_back({entry.spec->name, fmt::format("{}", other)});
            }
        } else if (const auto* real = std::get_if<double>(&entry.value)) {
            for (std::string& text : next_to(*real)) {
                // A factor of 0 makes no wave, but takes long.
                if (entry.spec->role == Role::scale && text == "0") continue;
                numbers.push_back({entry.spec->name, std::move(text)});
            }
        }
    }
    return numbers;
}

/// Returns the preset's parameters with the extents, the arithmetic and the files of the candidate.
std::optional<Candidate> as_preset(const Candidate& found, const Preset& preset) {
    Candidate candidate = found;
    candidate.parameters = parameters_of(preset);
    candidate.proposal.settings.clear();
    try {
        for (const Parameters::Entry& entry : found.parameters.entries()) {
            const bool is_given = entry.origin != Origin::specification;
            const bool is_kept = entry.spec->is_extent() || entry.spec->role == Role::arithmetic ||
                                 entry.spec->type == ParameterType::path;
            if (!is_given || !is_kept) continue;
            candidate.parameters.set(entry.spec->name, to_string(entry), Origin::user);
        }
    } catch (const UsageError&) {
        return {};
    }
    candidate.bits = price_of(candidate);
    return candidate;
}

/// Returns the entries in which `found` differs from the preset, extents aside.
std::vector<const Parameters::Entry*> differing(const Candidate& found, const Candidate& preset) {
    std::vector<const Parameters::Entry*> entries;
    for (std::size_t i = 0; i < found.parameters.entries().size(); ++i) {
        const Parameters::Entry& entry = found.parameters.entries()[i];
        const bool is_same = are_same(entry.value, preset.parameters.entries()[i].value);
        const bool matters = !entry.spec->is_extent() && !is_idle(found, entry.spec->name);
        if (matters && !is_same) entries.push_back(&entry);
    }
    return entries;
}

/// Returns the candidate's command without its extents: "swin-v2 --table index".
std::string name_of(const Candidate& candidate) {
    Candidate of_any_size = candidate;
    const Parameters defaults(candidate.encoding->parameters);
    of_any_size.parameters = defaults;
    for (const Parameters::Entry& entry : candidate.parameters.entries()) {
        if (entry.spec->is_extent() || entry.spec->role == Role::arithmetic) continue;
        of_any_size.parameters.resolve(entry.spec->name, entry.value);
    }
    const std::vector<std::string> command =
        command_of(of_any_size, nullptr, candidate.table->dtype);
    return joined(std::span(command).subspan(1), " ");
}

/// An alternative and its tables at other sizes.
struct Known {
    Alternative alternative;
    Elsewhere elsewhere;
};

/// Adds one note with the command for exchanged height and width, unless there is such a note.
void note_exchanged_axes(Candidate& found, const Candidate& exchanged) {
    const std::vector<std::string> command = command_of(exchanged, nullptr, exchanged.table->dtype);
    constexpr std::string_view same = "the same, with height and width exchanged: ";
    std::vector<std::string>& notes = found.proposal.notes;
    const bool is_noted =
        std::ranges::any_of(notes, [=](const std::string& note) { return note.starts_with(same); });
    if (!is_noted) notes.push_back(fmt::format("{}{}", same, joined(command, " ")));
}

/// Adds `candidate`, which agrees with the array, to the alternatives. If it is the same convention
/// as `found` or as an alternative, only adds its presets there.
void add(Candidate candidate, Candidate& found, const Elsewhere& of_found,
         std::vector<Known>& alternatives) {
    const auto add_presets = [&](std::vector<std::string>& presets) {
        for (const std::string& preset : candidate.presets) {
            // A preset with options that change nothing at any size is no other name.
            const bool is_named = std::ranges::any_of(presets, [&](const std::string& name) {
                return preset == name || preset.starts_with(name + " ");
            });
            if (!is_named) presets.push_back(preset);
        }
    };
    // Two ways to compute the same values are one convention.
    const ParameterSpec* const arithmetic = find_role(found.encoding->parameters, Role::arithmetic);
    if (candidate.encoding == found.encoding && arithmetic) {
        candidate.parameters.resolve(arithmetic->name, found.parameters.value(arithmetic->name));
    }
    const std::optional<std::string> size = told_apart_by(of_found, candidate);
    if (size && is_same_with_axes_exchanged(of_found, candidate)) {
        note_exchanged_axes(found, candidate);
        return;
    }
    if (!size) {
        if (candidate.encoding != found.encoding) candidate.presets = {name_of(candidate)};
        add_presets(found.presets);
        return;
    }
    for (Known& known : alternatives) {
        if (!told_apart_by(known.elsewhere, candidate) ||
            is_same_with_axes_exchanged(known.elsewhere, candidate)) {
            add_presets(known.alternative.candidate.presets);
            return;
        }
    }
    if (alternatives.size() < most_alternatives) {
        Elsewhere own = elsewhere(candidate);
        alternatives.push_back({{std::move(candidate), *size}, std::move(own)});
    }
}

bool sets(const Preset& preset, std::string_view name) {
    return std::ranges::any_of(parameters_of(preset).entries(), [&](const auto& entry) {
        return entry.spec->name == name && entry.origin == Origin::preset;
    });
}

/// True if the preset has more settings than a size of its encoding's default.
bool has_settings(const Preset& preset) {
    return std::ranges::any_of(parameters_of(preset).entries(), [&](const auto& entry) {
        return entry.origin == Origin::preset && !entry.spec->is_extent() && !is_default(entry);
    });
}

/// Returns the preset's command as text, with one more option as typed, if there is one. An
/// arithmetic of 16 bits is named, too: float32 code computes the same values but for rounding.
std::string text_of(const Preset& preset, const Candidate& candidate, const std::string& option) {
    std::string text(preset.name);
    if (const auto* arithmetic = find_role(preset.encoding->parameters, Role::arithmetic)) {
        const std::string& own = candidate.parameters.word(arithmetic->name);
        const bool is_coarse =
            own == info(DType::bfloat16).name || own == info(DType::float16).name;
        if (is_coarse) text += fmt::format(" --{} {}", arithmetic->name, own);
    }
    return option.empty() ? text : fmt::format("{} {}", text, option);
}

/// Returns the presets of the encoding that agree with the array: the presets that need only
/// extents or, if there are none, the presets that need one more option of `found`.
std::vector<Candidate> agreeing_presets(const Candidate& found, const Sample& array) {
    std::vector<Candidate> exact, nearly;
    for (const Preset& preset : all_presets()) {
        if (preset.encoding != found.encoding) continue;
        std::optional<Candidate> candidate = as_preset(found, preset);
        if (!candidate) continue;
        auto more = differing(found, *candidate);
        // It takes reading a whole table to see whether such a parameter was used.
        const bool is_of_all_values = std::ranges::any_of(
            more, [](const auto* entry) { return entry->spec->role == Role::statistics; });
        if (is_of_all_values) continue;
        if (agrees(*candidate, found, array)) {
            candidate->presets = {text_of(preset, *candidate, "")};
            exact.push_back(std::move(*candidate));
            continue;
        }
        std::erase_if(more, [&](const auto* entry) { return sets(preset, entry->spec->name); });
        if (more.size() == 1 && has_settings(preset)) {
            const std::string_view name = more.front()->spec->name;
            const std::string value = to_string(*more.front());
            candidate = with(*candidate, name, value);
            if (!candidate || !agrees(*candidate, found, array)) continue;
            std::vector<std::string> option;
            if (name == "positions") {
                option = positions_option_of(*candidate);
            } else {
                append_option(option, *more.front()->spec, value);
            }
            candidate->presets = {text_of(preset, *candidate, joined(option, " "))};
            nearly.push_back(std::move(*candidate));
        }
    }
    return exact.empty() ? nearly : exact;
}

/// True if the parameter only decides what happens at other sizes, where the encoding refuses a
/// candidate without it: --odd, for example, if d is even.
bool is_permission(const Candidate& found, const Elsewhere& of_found, std::string_view name,
                   const Sample& array) {
    const Parameters defaults(found.encoding->parameters);
    if (are_same(found.parameters.value(name), defaults.value(name))) return false;
    Candidate usual = found;
    usual.parameters.resolve(name, defaults.value(name));
    return agrees(usual, found, array) && !told_apart_by(of_found, usual);
}

/// Returns the candidates with one or two other choices, or with another number, that agree with
/// the array.
std::vector<Candidate> agreeing_neighbours(const Candidate& found, const Elsewhere& of_found,
                                           const Sample& array) {
    std::vector<Candidate> neighbours;
    const auto add_if_agrees = [&](std::optional<Candidate> candidate) {
        if (candidate && agrees(*candidate, found, array)) {
            neighbours.push_back(std::move(*candidate));
        }
    };
    for (const Setting& number : other_numbers(found)) {
        add_if_agrees(with(found, number.name, number.value));
    }
    // Two choices are not tried together if each of them alone changes nothing.
    std::vector<Candidate> changed;
    std::vector<Setting> changing;
    for (const Setting& choice : other_choices(found)) {
        if (is_permission(found, of_found, choice.name, array)) continue;
        std::optional<Candidate> one = with(found, choice.name, choice.value);
        if (!one) continue;
        if (agrees(*one, found, array)) {
            neighbours.push_back(std::move(*one));
        } else {
            changed.push_back(std::move(*one));
            changing.push_back(choice);
        }
    }
    for (std::size_t i = 0; i < changed.size(); ++i) {
        for (std::size_t k = i + 1; k < changed.size(); ++k) {
            if (changing[k].name == changing[i].name) continue;
            add_if_agrees(with(changed[i], changing[k].name, changing[k].value));
        }
    }
    return neighbours;
}

/// Gives the candidate, which agrees with the array, the default of each parameter that makes no
/// difference to this array, and the numbers next to its own where they agree better.
void simplify(Candidate& found, const Sample& array) {
    leave_out_options(found, [&](Candidate& simpler, auto&) {
        return agrees(simpler, found, array) && score_of(simpler, array) <= score_of(found, array);
    });
    // A number that is nearly right agrees only as float32 code would.
    if (found.agreement.level != Level::float32) return;
    for (const Setting& number : other_numbers(found)) {
        std::optional<Candidate> nearer = with(found, number.name, number.value);
        if (nearer && agrees(*nearer, found, array) &&
            score_of(*nearer, array) < score_of(found, array)) {
            found = std::move(*nearer);
        }
    }
}

/// Returns the candidate with the default of each word that changes no value of this array, such as
/// what becomes of an odd width where the width is even.
Candidate without_idle_words(Candidate found, const Sample& array) {
    if (!agrees(found, found, array)) return found;
    leave_out_options(found, [&](Candidate& simpler, const ParameterSpec& left_out) {
        return left_out.type == ParameterType::word && agrees(simpler, found, array) &&
               simpler.agreement.unequal == found.agreement.unequal &&
               simpler.agreement.largest == found.agreement.largest;
    });
    return found;
}

/// Returns the other commands that make the same array, the cheapest first: presets, candidates
/// with one or two other choices, and candidates with another number where a number has no effect.
/// Sets `found.presets` to the presets whose tables are the same at all sizes. `rivals` are
/// candidates that agree with the array as well.
std::vector<Alternative> alternatives_of(Candidate& found, const Sample& array,
                                         const std::vector<Candidate>& rivals) {
    const Elsewhere of_found = elsewhere(found);
    std::vector<Known> known;
    for (Candidate& preset : agreeing_presets(found, array)) {
        add(std::move(preset), found, of_found, known);
    }
    for (const Candidate& rival : rivals) add(rival, found, of_found, known);
    for (Candidate& neighbour : agreeing_neighbours(found, of_found, array)) {
        add(std::move(neighbour), found, of_found, known);
    }
    std::vector<Alternative> alternatives;
    for (Known& one : known) alternatives.push_back(std::move(one.alternative));
    std::ranges::stable_sort(alternatives, {}, [](const Alternative& alternative) {
        return alternative.candidate.bits;
    });
    return alternatives;
}

/// True if the candidate agrees with the whole array, which is compared if only its beginning is in
/// memory.
bool is_confirmed(Candidate& candidate, const Sample& array, const Progress& progress) {
    if (array.has_all_values()) return true;
    const std::optional<Table> table = table_of(candidate, array.precision);
    if (!table) return false;
    candidate.agreement = agreement_of(*table, array, candidate.proposal, Scope::whole, progress);
    return candidate.agreement.level != Level::none;
}

/// True if the candidate's table is off in the same row in which another candidate's table was off.
bool is_off_like(const Candidate& other, const Candidate& candidate, const Sample& array) {
    const std::optional<Table> table = table_of(candidate, array.precision);
    return !table || !agrees_at(other.agreement.place, *table, array, candidate.proposal);
}

/// The best candidate that agrees with the whole array, in its simplest form; if there is none, the
/// best candidate that agrees only with the values in memory.
struct Best {
    std::optional<Candidate> confirmed;
    std::optional<Candidate> refuted;
};

/// Removes the candidates up to the best one from the list, and returns the best one.
Best best_of(std::vector<Candidate>& candidates, const Sample& array, const Progress& progress) {
    Best best;
    while (!candidates.empty()) {
        progress(0, 0);
        Candidate next = std::move(candidates.front());
        candidates.erase(candidates.begin());
        // A row that refuted one candidate refutes most other candidates.
        const auto is_refuted = [&](const Candidate& candidate) {
            return best.refuted && is_off_like(*best.refuted, candidate, array);
        };
        if (is_refuted(next)) continue;
        Candidate simplest = next;
        simplify(simplest, array);
        for (Candidate* const candidate : {&simplest, &next}) {
            if (is_refuted(*candidate)) continue;
            if (is_confirmed(*candidate, array, progress)) return {std::move(*candidate), {}};
            if (!best.refuted) best.refuted = *candidate;
        }
    }
    return best;
}

/// Compares an array of 16 bits with what the command makes, which is rounded once. Candidates were
/// compared before this rounding, because code may have rounded twice.
void compare_rounded(Candidate& candidate, const Sample& array, const Progress& progress) {
    const DType dtype = array.table.dtype;
    if (!is_floating(dtype) || info(dtype).size != 2 || !is_floating(candidate.table->dtype))
        return;
    const Table table =
        make_table(*candidate.encoding, *candidate.table, candidate.parameters, dtype);
    const Agreement rounded =
        agreement_of(table, array, candidate.proposal, Scope::whole, progress);
    candidate.agreement.largest = rounded.largest;
    candidate.agreement.place = rounded.place;
}

/// Returns the candidate with --rounded positions in the place of a list of rounded positions; none
/// if they are not rounded, or if the encoding has no such option.
std::optional<Candidate> with_rounded_positions(const Candidate& found) {
    const std::vector<double> list = positions_of(found);
    const std::optional<RoundedCount> count = rounding_of(list);
    if (!count || !found.parameters.knows("rounded")) return {};
    Candidate narrow = found;
    Parameters& p = narrow.parameters;
    p.resolve("positions", Value());
    p.set("len", fmt::format("{}", list.size()), Origin::user);
    p.set("start", fmt::format("{}", count->first), Origin::user);
    p.resolve("step", 1.0);
    p.set("arith", info(count->format).name, Origin::user);
    p.set("rounded", "positions", Origin::user);
    narrow.proposal.notes.push_back(fmt::format("the positions {}", counting_text(list)));
    narrow.bits = price_of(narrow);
    return narrow;
}

/// True if nothing but the candidate's command explains the array.
bool is_certain(const Candidate& found, const std::vector<Alternative>& alternatives) {
    return alternatives.empty() && unusual_number(found).empty() && found.proposal.is_complete;
}

/// Returns the answer with the best candidate that agrees with the whole array; none if no
/// candidate does. `agreeing` are other candidates that agree, whatever they cost.
std::optional<Identification> answer(std::vector<Candidate> candidates, const View& view,
                                     const Sample& sample, const Table& array,
                                     const Progress& progress,
                                     const std::vector<Candidate>& agreeing = {}) {
    std::vector<Candidate> rivals = rivals_among(candidates, sample, Kept::rivals);
    Best first = best_of(rivals, sample, progress);
    if (first.refuted && !first.confirmed) {
        rivals = rivals_among(std::move(candidates), sample, Kept::all);
        first = best_of(rivals, sample, progress);
    }
    std::optional<Candidate> best = std::move(first.confirmed);
    std::optional<Identification> reordered;
    while (best) {
        auto answer = in_another_order(*best);
        if (!answer) break;
        if (!reordered) reordered = std::move(answer);
        best = best_of(rivals, sample, progress).confirmed;
    }
    if (!best && first.refuted) return left_by(*first.refuted, view.note, sample, progress);
    if (!best) return reordered;
    if (auto narrow = with_rounded_positions(*best)) {
        if (agrees(*narrow, *best, sample) && is_confirmed(*narrow, sample, progress)) {
            best = std::move(narrow);
        }
    }
    std::erase_if(rivals, [&](const Candidate& rival) { return !is_rival(rival, *best, sample); });
    rivals.insert(rivals.end(), agreeing.begin(), agreeing.end());
    Identification found;
    found.alternatives = alternatives_of(*best, sample, rivals);
    std::erase_if(found.alternatives, [&](Alternative& alternative) {
        return !is_confirmed(alternative.candidate, sample, progress);
    });
    compare_rounded(*best, sample, progress);
    const AnsweredArray answered{array.dtype, sample.precision, view.note};
    describe(*best, answered);
    if (found.alternatives.empty()) {
        const Candidate shorter = without_idle_words(*best, sample);
        best->command = command_of(shorter, nullptr, dtype_of(shorter, answered.dtype));
    }
    for (Alternative& alternative : found.alternatives) describe(alternative.candidate, answered);
    const bool is_only_one = is_certain(*best, found.alternatives);
    // --data writes the positions of the best candidate alone.
    std::erase_if(found.alternatives, [&](const Alternative& alternative) {
        return positions_file_of(alternative.candidate) &&
               positions_of(alternative.candidate) != positions_of(*best);
    });
    found.verdict = is_only_one ? Verdict::identified : Verdict::ambiguous;
    found.found = std::move(best);
    return found;
}

/// Returns the answer for an array that code in 16 bits made of one of the candidates: by a command
/// that computes so, or as a departure if some values are on the other side of a tie. None if there
/// is no such candidate.
std::optional<Identification> made_in_16_bits(std::vector<Candidate> candidates, const View& view,
                                              const Sample& sample, const Table& array,
                                              const Progress& progress) {
    std::ranges::stable_sort(candidates, {}, &Candidate::bits);
    for (const Candidate& candidate : candidates) {
        progress(0, 0);
        std::optional<Candidate16> found = in_16_bits(candidate, sample);
        if (!found) continue;
        auto exact = answer({std::move(found->candidate)}, view, sample, array, progress);
        if (!exact || !exact->found) return departing(candidate, "", std::move(found->text));
        exact->notes.push_back(std::move(found->text));
        return exact;
    }
    return {};
}

/// Returns the candidate with each option that changes all values or channels at once, as people
/// do: negated, with the channels reversed, with the halves of the channels exchanged.
std::vector<Candidate> changed_by_options(const Candidate& candidate) {
    const Parameters& p = candidate.parameters;
    std::vector<Setting> options{{"out-scale", "-1"}, {"keep-channels", "::-1"}};
    if (p.knows("d") && p.has("d")) {
        const std::int64_t d = p.integer("d"), half = d / 2;
        options.push_back({"keep-channels", fmt::format("{}:{},0:{}", half, d, half)});
    }
    std::vector<Candidate> changed;
    for (const auto& [name, value] : options) {
        if (!p.knows(name) || p.given(name)) continue;
        if (auto one = with(candidate, name, value)) changed.push_back(std::move(*one));
    }
    return changed;
}

/// True if the first answer is better than the other one.
bool is_better(const Identification& answer, const std::optional<Identification>& other,
               const Sample& sample) {
    if (!other || !other->found) return true;
    return answer.found && score_of(*answer.found, sample) < score_of(*other->found, sample);
}

/// Returns the answer, or the answer with a preset if that is simpler. Adds the presets' tables to
/// the candidates.
std::optional<Identification> or_preset(std::optional<Identification> found,
                                        std::vector<Candidate>& tried, const View& view,
                                        const Sample& sample, const Table& array,
                                        const Progress& progress) {
    const double bits =
        found && found->found ? found->found->bits : std::numeric_limits<double>::infinity();
    if (bits <= price_of_presets) return found;
    const std::vector<Candidate> fitted = fitted_presets(sample);
    tried.insert(tried.end(), fitted.begin(), fitted.end());
    std::vector<Candidate> simpler = fitted, agreeing;
    if (found && found->found) agreeing.push_back(*found->found);
    std::erase_if(simpler, [=](const Candidate& preset) { return preset.bits >= bits; });
    auto preset = answer(std::move(simpler), view, sample, array, progress, agreeing);
    return preset && is_better(*preset, found, sample) ? preset : found;
}

/// Returns the answer for one row of an array whose rows are all equal; none if they differ, or if
/// no command makes the row.
std::optional<Identification> answer_to_equal_rows(const std::vector<View>& views,
                                                   const Table& array, const Progress& progress) {
    const auto view = std::ranges::find_if(views, &View::is_part);
    if (view == views.end() || view->table.shape.rank() > 1) return {};
    const Sample sample = view->sample();
    auto of_row = answer(recognized(sample, progress), *view, sample, array, progress);
    return of_row && of_row->found ? of_row : std::nullopt;
}

/// Returns the answer, or a much simpler one of one row alone if all rows are equal: position ids
/// rather than biases by key, which have equal rows, too.
Identification of_equal_rows(const Identification& found, const std::vector<View>& views,
                             const Table& array, const Progress& progress) {
    constexpr double bits_of_repeating = 8;
    if (!found.found) return found;
    auto of_row = answer_to_equal_rows(views, array, progress);
    const bool is_simpler = of_row && of_row->found->bits + bits_of_repeating < found.found->bits;
    return is_simpler ? *std::move(of_row) : found;
}

bool is_nan(double value) { return std::isnan(value); }

/// Returns the value that all elements of the array have, up to rounding, unless they are nan; none
/// if there are several values.
std::optional<double> only_value(const Sample& sample) {
    const auto number = std::ranges::find_if_not(sample.values, is_nan);
    const double first = number == sample.values.end() ? sample.values.front() : *number;
    const double error = is_floating(sample.table.dtype) ? 16 * sample.error_of(first) : 0;
    const bool is_full = std::ranges::all_of(sample.values, [=](double value) {
        return value == first || std::isnan(value) || std::fabs(value - first) <= error;
    });
    if (is_full) return first;
    return {};
}

/// Returns a note if nearly all elements have the same value, to which any slow wave is near; ""
/// otherwise.
std::string almost_only_value(const Sample& sample) {
    std::vector<double> values = sample.values;
    std::erase_if(values, is_nan);
    const auto middle = values.begin() + std::ssize(values) / 2;
    if (middle == values.end()) return "";
    std::ranges::nth_element(values, middle);
    const auto others = std::ssize(sample.values) - std::ranges::count(values, *middle);
    constexpr std::ptrdiff_t least_share = 1000;
    if (least_share * others > std::ssize(sample.values)) return "";
    return fmt::format("all values but {} are {}: no encoding can be told from them", others,
                       *middle);
}

/// Returns the answer for a part of an array; none if no command makes it.
std::optional<Identification> answer_to_part(const View& view, const Sample& sample,
                                             const Progress& progress) {
    if (only_value(sample)) return {};
    auto found = answer(recognized(sample, progress), view, sample, view.table, progress);
    return found && found->found ? found : std::nullopt;
}

/// Returns the command that makes two tables of the candidate's encoding.
std::vector<std::string> command_of_both(const Candidate& candidate, const TableSpec& second,
                                         DType dtype) {
    Candidate both = candidate;
    both.table = &candidate.encoding->tables.front();  // whose command has no --table
    std::vector<std::string> command = command_of(both, nullptr, dtype_of(both, dtype));
    const std::string tables = fmt::format("{},{}", candidate.table->name, second.name);
    command.insert(command.begin() + 2, {"--table", tables});
    return command;
}

/// Returns the agreement of both halves. The place of the largest difference is along the axes of
/// the whole array.
Agreement agreement_of_both(const Halves& halves, const Agreement& first, const Agreement& second) {
    const bool is_second = second.largest > first.largest;
    Agreement both = is_second ? second : first;
    both.level = std::max(first.level, second.level);
    both.unequal = first.unequal + second.unequal;
    both.values = first.values + second.values;
    both.evidence = first.evidence + second.evidence;
    if (both.place.empty()) return both;
    switch (halves.along) {
        case Halves::Along::first_axis:
            both.place.insert(both.place.begin(), is_second ? 1 : 0);
            break;
        case Halves::Along::last_axis:
            both.place.push_back(is_second ? 1 : 0);
            break;
        case Halves::Along::channels:
            both.place.back() += is_second ? halves.first.table.shape.columns() : 0;
            break;
    }
    return both;
}

/// Returns the answer for an array that holds two tables of one command, such as cosines and sines;
/// none if it does not.
std::optional<Identification> of_two_tables(const Halves& halves, const Progress& progress) {
    const Sample of_first = halves.first.sample(), of_second = halves.second.sample();
    if (of_first.precision.digits != of_second.precision.digits) return {};
    auto answered = answer_to_part(halves.first, of_first, progress);
    if (!answered) return {};
    std::vector<Alternative> all{{*answered->found, ""}};
    std::ranges::move(answered->alternatives, std::back_inserter(all));
    const TableSpec& of_found = *answered->found->table;
    for (const TableSpec& table : answered->found->encoding->tables) {
        // What the first table does not show, the second one may.
        std::vector<Alternative> found;
        for (Alternative& one : all) {
            Candidate second = one.candidate;
            second.table = &table;
            if (&table == &of_found || one.candidate.table != &of_found ||
                !agrees(second, one.candidate, of_second) ||
                !is_confirmed(second, of_second, progress)) {
                continue;
            }
            Candidate& both = one.candidate;
            both.agreement = agreement_of_both(halves, both.agreement, second.agreement);
            both.command = command_of_both(both, table, halves.first.table.dtype);
            found.push_back(std::move(one));
        }
        if (found.empty()) continue;
        Candidate& best = *answered->found = std::move(found.front().candidate);
        found.erase(found.begin());
        best.notes.push_back(
            fmt::format("the array holds two tables: --table {} at {}, --table {} at {}",
                        of_found.name, halves.at_first, table.name, halves.at_second));
        answered->verdict = is_certain(best, found) ? Verdict::identified : Verdict::ambiguous;
        answered->alternatives = std::move(found);
        return answered;
    }
    return {};
}

/// Returns the answer for an array that holds tables of two commands: the first one, with the
/// second one as the departure. None if it does not.
std::optional<Identification> of_two_commands(const Halves& halves, const Progress& progress) {
    const auto first = answer_to_part(halves.first, halves.first.sample(), progress);
    // Two heads have biases of one command, which shows only in both together.
    if (!first || first->found->parameters.knows("heads")) return {};
    const auto second = answer_to_part(halves.second, halves.second.sample(), progress);
    if (!second || second->found->command == first->found->command) return {};
    const std::string notes = joined(second->found->notes, "; ");
    return departing(
        *first->found, "",
        fmt::format("{} is {}{}", halves.at_second, joined(second->found->command, " "),
                    notes.empty() ? "" : fmt::format(" ({})", notes)));
}

/// Returns the answer for an array that holds two tables of one command, one of them spoiled: the
/// command, with what differs as the departure. None if it does not.
std::optional<Identification> of_spoiled_half(const Halves& halves, const Progress& progress) {
    for (const bool is_first_spoiled : {false, true}) {
        const View& good = is_first_spoiled ? halves.second : halves.first;
        const View& spoiled = is_first_spoiled ? halves.first : halves.second;
        const auto answered = answer_to_part(good, good.sample(), progress);
        if (!answered || answered->found->parameters.knows("heads")) continue;
        const Sample sample = spoiled.sample();
        for (const TableSpec& table : answered->found->encoding->tables) {
            Candidate other = *answered->found;
            other.table = &table;
            const auto made =
                &table == answered->found->table ? std::nullopt : table_of(other, sample.precision);
            constexpr double most = 0.5;
            if (!made || !(likeness_of(*made, sample, other.proposal).agreeing > most)) continue;
            const std::string& place = is_first_spoiled ? halves.at_first : halves.at_second;
            Identification answer =
                departing(*answered->found, "",
                          fmt::format("{} is --table {}, but for {}", place, table.name,
                                      departure_from(*made, sample, other.proposal, progress)));
            answer.nearest->command =
                is_first_spoiled ? command_of_both(other, *answered->found->table, good.table.dtype)
                                 : command_of_both(*answered->found, table, good.table.dtype);
            return answer;
        }
    }
    return {};
}

/// Returns the command of these position ids; "" if it is not short.
std::string command_of_ids(const std::vector<double>& ids) {
    const auto is_next = [](double a, double b) { return b == a + 1; };
    if (std::ranges::adjacent_find(ids, std::not_fn(is_next)) == ids.end()) {
        return fmt::format("pe-gen index --len {}{}", ids.size(),
                           ids.front() == 0 ? "" : fmt::format(" --start {}", ids.front()));
    }
    const std::string list = position_list_text(ids);
    return list.empty() ? "" : fmt::format("pe-gen index --positions {}", list);
}

/// Returns the answer for position ids that are not the same in each row, as of a padded batch: the
/// first row's command, with the rows that are others as the departure. None for other arrays.
std::optional<Identification> of_different_ids(const Table& array, const Progress& progress) {
    const Shape& shape = array.shape;
    constexpr std::int64_t most_rows = 1 << 10, fewest_ids = 8, most_values = 1 << 22;
    // As many rows as columns are queries and keys.
    if (is_floating(array.dtype) || shape.rank() != 2 || 2 * shape.rows() > shape.columns() ||
        shape.rows() > most_rows || shape.columns() < fewest_ids || shape.size() > most_values) {
        return {};
    }
    std::vector<std::string> commands, others;
    for (std::int64_t row = 0; row < shape.rows(); ++row) {
        commands.push_back(command_of_ids(read_rows(array, {row, 1})));
        if (commands.back().empty()) return {};
        if (commands.back() == commands.front()) continue;
        others.push_back(fmt::format("row {} is {}", row, commands.back()));
    }
    constexpr std::size_t most = 3;
    if (others.size() > most) {
        others[most] = fmt::format("{} more rows are others", others.size() - most);
        others.resize(most + 1);
    }
    Table ids = array;
    ids.shape = Shape({shape.columns()});
    ids.axes.resize(1);
    ids.rows = rows::slice(array.rows, {0, 1});
    const View view = views_of(ids).front();
    const auto first = answer_to_part(view, view.sample(), progress);
    if (!first) return {};
    return departing(*first->found, "", joined(others, "; "));
}

}  // namespace

Identification identify_exactly(const Table& array, const Progress& progress) {
    const View view = views_of(array).front();
    const Sample sample = view.sample();
    if (only_value(sample)) return {};
    std::vector<Candidate> candidates = recognized(sample, progress);
    auto found = answer(candidates, view, sample, array, progress);
    if ((!found || !found->found) &&
        evidence::are_rows_alike(sample.values, sample.extents.back())) {
        std::ranges::move(fitted_presets(sample), std::back_inserter(candidates));
        found = made_in_16_bits(std::move(candidates), view, sample, array, progress);
    }
    return found.value_or(Identification());
}

Identification identify(const Table& array, const Progress& progress, const SearchStage& stage) {
    if (array.shape.size() == 0) {
        throw UsageError(
            fmt::format("the array has shape {} and no values", to_string(array.shape)));
    }
    stage("a long table with a position for each row");
    const std::vector<View> views = views_of(array);
    const Sample as_it_is = views.front().sample();
    if (const std::optional<double> value = only_value(as_it_is)) {
        std::string which = as_it_is.has_all_values()
                                ? "all values"
                                : fmt::format("the first {} values", as_it_is.values.size());
        const auto missing = std::ranges::count_if(as_it_is.values, is_nan);
        if (missing > 0 && !std::isnan(*value)) which += fmt::format(" but {} (nan)", missing);
        const bool is_exact = std::ranges::none_of(
            as_it_is.values, [=](double one) { return one != *value && !std::isnan(one); });
        Identification nothing;
        nothing.notes = {fmt::format("{} are {}: no encoding can be told from them", which,
                                     is_exact ? fmt::format("{}", *value)
                                              : fmt::format("{:.6g}, but for rounding", *value))};
        return nothing;
    }
    const std::string draws = evidence::distribution_of(as_it_is);
    const std::vector<Halves> all_halves = draws.empty() ? halves_of(array) : std::vector<Halves>();
    for (const Halves& halves : all_halves) {
        if (const auto both = of_two_tables(halves, progress)) return *both;
    }
    const auto two_commands = [&]() -> std::optional<Identification> {
        for (const Halves& halves : all_halves) {
            if (const auto two = of_two_commands(halves, progress)) return two;
        }
        return {};
    };
    for (const View& view : views) {
        // Rows of two tables, merged into one long table, would be searched for a long time.
        constexpr std::int64_t many_rows = 4096;
        const bool is_merged = &view != views.data() && view.table.shape.rank() == 2 &&
                               view.table.shape.rows() >= many_rows;
        if (const auto two = is_merged ? two_commands() : std::nullopt) return *two;
        const auto candidate = draws.empty() ? long_table(view.table, progress) : std::nullopt;
        if (!candidate) continue;
        if (auto reordered = in_another_order(*candidate)) return *reordered;
        auto found = answer({*candidate}, view, view.sample(), array, progress);
        if (!found) continue;
        // A long row may be simpler than the long column that it is in another view.
        if (&view != views.data()) {
            auto of_array =
                answer(recognized(as_it_is, progress), views.front(), as_it_is, array, progress);
            if (of_array && is_better(*of_array, found, as_it_is)) return *of_array;
        }
        return *found;
    }
    // Whole numbers of which each row is the same are position ids of a batch.
    if (!is_floating(array.dtype)) {
        if (const auto ids = answer_to_equal_rows(views, array, progress)) return *ids;
    }
    std::vector<std::vector<Candidate>> tried;
    std::optional<Identification> reordered;  // a table with its rows or channels in another order
    std::optional<Identification> costly;     // used if no other view shows something simpler
    for (const View& view : views) {
        stage(view.note.empty() ? "the array as it is" : view.note);
        progress(0, 0);
        const Sample sample = view.sample();
        tried.push_back(recognized(sample, progress));
        auto found = answer(tried.back(), view, sample, array, progress);
        const bool is_first = &view == views.data();
        if (is_first) {
            found = or_preset(std::move(found), tried.back(), view, sample, array, progress);
        }
        constexpr double most_bits_of_convention = 120;
        // Positions that start again may be a table that is repeated along another axis.
        const bool may_be_repeated =
            array.shape.rank() > 2 && found && found->found && !positions_of(*found->found).empty();
        if (found && found->found && sample.has_all_values() &&
            (found->found->bits > most_bits_of_convention || may_be_repeated)) {
            if (is_better(*found, costly, sample)) costly = std::move(found);
            continue;
        }
        const bool is_final =
            found && (found->verdict != Verdict::not_identified || !sample.has_all_values());
        if (is_final) return is_first ? of_equal_rows(*found, views, array, progress) : *found;
        if (found && !reordered) reordered = std::move(found);
    }
    if (!draws.empty()) {
        Identification nothing = nearest_drawn(views, tried, progress);
        if (nothing.nearest) return nothing;
        nothing.notes = {fmt::format(
            "the values look like random numbers, {}, of no seed that was tried", draws)};
        return nothing;
    }
    if (const auto two = two_commands()) return *two;
    for (const Halves& halves : all_halves) {
        if (const auto spoiled = of_spoiled_half(halves, progress)) return *spoiled;
    }
    if (const auto ids = of_different_ids(array, progress)) return *ids;
    stage("a table of another size");
    if (const auto resized = find_resized(as_it_is, progress)) {
        Identification original = identify(resized->original, progress);
        if (original.found) {
            original.found->agreement = resized->agreement;
            original.resized = resized->how;
            return original;
        }
    }
    if (costly) return *costly;
    stage("16-bit arithmetic");
    const std::vector<Candidate> layouts = fitted_layouts(as_it_is);
    tried.front().insert(tried.front().end(), layouts.begin(), layouts.end());
    const auto answer_in_16_bits = [&](std::vector<Candidate> candidates) {
        return made_in_16_bits(std::move(candidates), views.front(), as_it_is, array, progress);
    };
    if (const auto rounded = answer_in_16_bits(tried.front())) return *rounded;
    stage("the nearest table");
    if (const std::string most = almost_only_value(as_it_is); !most.empty()) {
        Identification nothing;
        nothing.notes = {most};
        return nothing;
    }
    const Identification near = reordered ? *reordered : nearest_to(views, tried, progress);
    if (!near.nearest) return near;
    if (const auto rounded = answer_in_16_bits({*near.nearest})) return *rounded;
    auto exact =
        answer(changed_by_options(*near.nearest), views.front(), as_it_is, array, progress);
    return exact && exact->found ? *exact : near;
}

}  // namespace pegen::recognition

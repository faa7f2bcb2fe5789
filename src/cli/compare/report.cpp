#include "cli/compare/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "cli/options.h"
#include "core/dtype.h"
#include "core/error.h"
#include "core/names.h"
#include "core/utf8.h"
#include "formats/command.h"
#include "formats/metadata.h"
#include "inspect/change.h"
#include "inspect/comparison.h"
#include "inspect/fitted.h"
#include "numerics/rounding.h"

namespace pegen::cli {
namespace {

/// True if `b` has more channels than `a`.
bool has_more_channels(const ComparedTable& a, const ComparedTable& b) {
    return b.values.channels.size() > a.values.channels.size();
}

/// Returns the name of a place: "row 3" of a sequence, "position (3, 1)" of a grid, "head 2, row 3"
/// of several sequences.
std::string at(const std::vector<std::int64_t>& place, const std::vector<Axis>& axes) {
    std::vector<std::string> texts;
    std::vector<std::int64_t> position;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        if (is_shifted_along(axes[axis])) {
            position.push_back(place[axis]);
        } else {
            texts.push_back(index_name(axes[axis], place[axis]));
        }
    }
    if (position.size() == 1) texts.push_back(fmt::format("row {}", position.front()));
    if (position.size() > 1) {
        texts.push_back(fmt::format("position ({})", joined(position, ", ")));
    }
    return joined(texts, ", ");
}

/// Returns the word for the numbers of one position: "channels" or "columns".
std::string_view channels(const ComparedTable& a, const ComparedTable& b) {
    const auto are_channels = [](const ComparedTable& side) {
        return side.values.channel_axis.kind == AxisKind::channel;
    };
    return are_channels(a) || are_channels(b) ? "channels" : "columns";
}

/// Returns where the agreement begins: " from row 1 on", " from position (1, 1) on"; "" if it
/// begins at 0.
std::string from(std::int64_t first, const std::vector<Axis>& axes) {
    if (first <= 0) return "";
    const auto shifted = std::ranges::count_if(axes, is_shifted_along);
    const std::vector place(static_cast<std::size_t>(shifted), first);
    return fmt::format(" from {} on", at(place, std::vector<Axis>(place.size())));
}

std::string tokens_of(const ComparedTable& a, const ComparedTable& b) {
    if (a.values.is_by_columns == b.values.is_by_columns) return "";
    return fmt::format(", whose tokens go by {}", b.values.is_by_columns ? "columns" : "rows");
}

/// Returns the clause ", up to rounding: ..." if some values count as equal although they differ;
/// else "".
std::string rounding(const Rearrangement& found) {
    constexpr double usual = 2, of_float64 = 0x1p-20;
    if (found.largest == 0) return "";
    const bool is_usual = of_float64 < found.in_units && found.in_units <= usual;
    return fmt::format(", up to {}: the values are at most {:.2g} apart",
                       is_usual ? "the rounding that is usual for float32 arithmetic" : "rounding",
                       found.largest);
}

/// Returns the name of the table in which the rows without a counterpart are zeros; "one of them"
/// if both tables have such rows.
std::string_view owner_of_zeros(const ComparedTable& a, const ComparedTable& b,
                                const Rearrangement& found) {
    const auto is_of_first = [&](std::int64_t p) { return is_zero(a.values, p); };
    if (std::ranges::all_of(found.zeros, is_of_first)) return a.name;
    return std::ranges::none_of(found.zeros, is_of_first) ? std::string_view(b.name)
                                                          : "one of them";
}

/// Returns the values, [position][channel].
std::vector<double> by_positions(const PositionTable& table) {
    std::vector<double> values;
    for (std::size_t p = 0; p < table.channels.front().size(); ++p) {
        for (const std::vector<double>& channel : table.channels) values.push_back(channel[p]);
    }
    return values;
}

bool are_transposed(const PositionTable& x, const PositionTable& y) {
    const std::size_t columns = x.channels.size(), rows = y.channels.size();
    if (x.channels.front().size() != rows || y.channels.front().size() != columns) return false;
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < columns; ++column) {
            if (x.channels[column][row] != y.channels[row][column]) return false;
        }
    }
    return true;
}

/// Returns the format of fewer bits to which rounding makes the one list of the other; nothing if
/// none does.
std::optional<DType> rounding_between(const std::vector<double>& rounded_values,
                                      const std::vector<double>& values) {
    for (const DType format : {DType::float32, DType::float16, DType::bfloat16}) {
        const auto is_rounded = [=](double narrow, double wide) {
            return narrow == numerics::rounded(wide, format);
        };
        if (std::ranges::equal(rounded_values, values, is_rounded)) return format;
    }
    return {};
}

/// Returns the first position of the longer table whose rows from there on are the shorter one's;
/// -1 if there is none.
std::int64_t place_in(const PositionTable& longer, const PositionTable& shorter) {
    const std::int64_t count = shorter.positions();
    for (std::int64_t first = 0; first + count <= longer.positions(); ++first) {
        bool is_it = true;
        for (std::size_t c = 0; c < shorter.channels.size() && is_it; ++c) {
            const std::vector<double>& own = shorter.channels[c];
            is_it = std::equal(own.begin(), own.end(), longer.channels[c].begin() + first);
        }
        if (is_it) return first;
    }
    return -1;
}

/// Returns how the one table is made of the other, as a sentence without its period; "" if that is
/// not found.
std::string relation_between(const ComparedTable& a, const ComparedTable& b) {
    const PositionTable &x = a.values, &y = b.values;
    const auto columns = std::ssize(x.channels);
    if (columns == 0 || y.channels.empty() || x.positions() == 0 || y.positions() == 0) return "";
    if (are_transposed(x, y)) {
        return fmt::format("{} is {}, transposed: save array.T of one of them", a.name, b.name);
    }
    if (columns != std::ssize(y.channels)) return "";
    if (x.positions() != y.positions()) {
        const bool is_longer = x.positions() > y.positions();
        const ComparedTable &longer = is_longer ? a : b, &shorter = is_longer ? b : a;
        const std::int64_t first = place_in(longer.values, shorter.values);
        if (first < 0 || shorter.values.positions() < 2) return "";
        return fmt::format("{} is rows {} to {} of {}", shorter.name, first,
                           first + shorter.values.positions() - 1, longer.name);
    }
    const std::vector<double> given = by_positions(x), made = by_positions(y);
    for (const bool is_first : {true, false}) {
        const auto format =
            is_first ? rounding_between(given, made) : rounding_between(made, given);
        if (!format) continue;
        return fmt::format("{} is {}, rounded to {}", is_first ? a.name : b.name,
                           is_first ? b.name : a.name, info(*format).name);
    }
    const std::string change = change_or_noise_of({made, given, columns});
    return change.empty() ? "" : fmt::format("{} is {}, but {}", a.name, b.name, change);
}

/// Returns which question identify may answer about two arrays of activations; "" for tables.
std::string next_question(const ComparedTable& a, const ComparedTable& b) {
    const bool may_be_activations =
        !a.subject && !b.subject && a.table.shape.rank() > 2 && a.table.shape == b.table.shape;
    if (!may_be_activations) return "";
    return fmt::format(
        " If both were made of one x, pe-gen identify --before x.npy --after {} says what code did "
        "to it.",
        b.name);
}

std::string sentence(const ComparedTable& a, const ComparedTable& b, const Comparison& result,
                     const std::string& relation) {
    const auto& found = result.rearrangement;
    if (!relation.empty()) return relation + ".";
    if (!found) {
        const int rank = a.table.shape.rank(), other = b.table.shape.rank();
        if ((rank == 1) != (other == 1)) {
            return fmt::format("{} and {} are different tables: {} has one axis, and {} has {}.",
                               a.name, b.name, rank == 1 ? a.name : b.name,
                               rank == 1 ? b.name : a.name, rank == 1 ? other : rank);
        }
        const bool is_sequence = std::ranges::count_if(result.axes, is_shifted_along) == 1;
        const bool has_order = b.values.channels.size() > 1;
        return fmt::format(
                   "{} and {} are different tables: they stay different under {}any shift of up to "
                   "3 {}.",
                   a.name, b.name,
                   has_order ? fmt::format("any order of the {} and ", channels(a, b)) : "",
                   is_sequence ? "rows" : "positions along each axis") +
               next_question(a, b);
    }
    const bool has_more = has_more_channels(a, b);
    const std::string order = order_text(*found, channels(a, b)), tokens = tokens_of(a, b);
    if (found->shift == 0 && order.empty() && !has_more && tokens.empty() && found->zeros.empty() &&
        found->largest == 0) {
        return fmt::format("{} and {} are the same table: all {} values are equal.", a.name, b.name,
                           result.compared);
    }
    return fmt::format("{}{} is {}{}{}{}{}{}{}.", a.name, from(-found->shift, result.axes),
                       has_more ? "a part of " : "", b.name, from(found->shift, result.axes),
                       tokens, order, exceptions_text(*found, owner_of_zeros(a, b, *found)),
                       rounding(*found));
}

std::string as_they_stand(const ComparedTable& a, const ComparedTable& b,
                          const Comparison& result) {
    if (result.differing == 0 || has_more_channels(a, b)) return "";
    std::string place = at(result.place, result.axes);
    if (a.values.channels.size() > 1) {
        const bool knows = a.values.channel_axis.kind != AxisKind::other;
        const Axis& axis = knows ? a.values.channel_axis : b.values.channel_axis;
        place += fmt::format(", {}", index_name(axis, result.channel));
    }
    return fmt::format(
        "Compared directly, {} of {} values differ, {} (in {}).", result.differing, result.compared,
        std::isfinite(result.largest) ? fmt::format("by up to {:.3g}", result.largest)
                                      : "some of which are NaN or infinite in one table only",
        place);
}

std::string shapes(const ComparedTable& a, const ComparedTable& b) {
    if (a.table.shape == b.table.shape) return "";
    return fmt::format("{} has shape {}, {} has shape {}.", a.name, to_string(a.table.shape),
                       b.name, to_string(b.table.shape));
}

/// Returns a sentence on the parameters in which two tables of one encoding differ; "" if there are
/// none.
std::string settings(const ComparedTable& a, const ComparedTable& b, bool are_equal) {
    if (!a.subject || !b.subject || a.subject->encoding != b.subject->encoding) return "";
    const std::string text =
        settings_text(a.table.provenance.parameters, b.table.provenance.parameters);
    if (text.empty()) return "";
    return fmt::format(
        "Their settings differ in {}{}.", text,
        are_equal ? fmt::format(", without effect on the table {}", a.table.provenance.table) : "");
}

/// Throws: UsageError if the table has integers beyond 2^53, which doubles cannot tell apart.
void check_integers(std::string_view name, const Table& table) {
    constexpr double two_to_53 = 0x1p53;
    const std::vector<double> values = read_rows(table, {0, table.shape.rows()});
    const auto is_exact = [](double value) { return -two_to_53 < value && value < two_to_53; };
    if (std::ranges::all_of(values, is_exact)) return;
    throw UsageError(fmt::format(
        "compare: {} has integers beyond 2^53; pe-gen diff compares them exactly", name));
}

/// True if the encoding draws its values at random.
bool is_drawn(const Encoding& encoding) { return find_option(encoding.parameters, "seed"); }

/// Returns how close values must be to count as equal. If one side is a file and the other a
/// computed table, the file was most likely computed in float32, even if its dtype is float64. In
/// all other cases, also for randomly drawn tables, there is no such tolerance.
Closeness closeness_of(const ComparedTable& a, const ComparedTable& b) {
    const ComparedTable& file = a.subject ? b : a;
    const std::optional<Subject>& subject = a.subject ? a.subject : b.subject;
    const bool is_computed = !file.subject && subject && !is_drawn(*subject->encoding);
    if (!is_computed) return {};
    const DType dtype = file.table.dtype;
    return closeness_of_float32(dtype == DType::float64 ? DType::float32 : dtype);
}

/// Returns the table with axes as a file has them, which say nothing of rows in front.
Table as_in_file(Table table) {
    for (Axis& axis : table.axes) axis = Axis{.kind = axis.kind, .name = axis.name};
    return table;
}

}  // namespace

ComparedTable compared(std::string name, std::optional<Subject> subject, Table table,
                       const Table* file) {
    constexpr std::int64_t most_values = std::int64_t{1} << 24;
    if (table.shape.size() > most_values) {
        throw UsageError(fmt::format(
            "compare: {} has shape {}; at most 2^24 values can be compared, so make it smaller",
            name, to_string(table.shape)));
    }
    if (!subject && !is_floating(table.dtype)) check_integers(name, table);
    const bool is_like_file =
        file && squeezed(file->shape.extents()) == squeezed(table.shape.extents());
    const bool has_rows_before = std::ranges::any_of(table.axes, &Axis::rows_before);
    PositionTable values =
        read_positions(is_like_file && has_rows_before ? as_in_file(table) : table);
    return {std::move(name), subject, std::move(table), std::move(values)};
}

std::string settings_text(const Parameters& a, const Parameters& b) {
    const auto text_of = [](const Parameters::Entry& entry) {
        constexpr std::size_t most = 16;
        const auto* const list = std::get_if<std::vector<double>>(&entry.value);
        return list && list->size() > most ? fmt::format("a list of {} numbers", list->size())
                                           : to_string(entry);
    };
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < a.entries().size(); ++i) {
        const Parameters::Entry &own = a.entries()[i], &other = b.entries()[i];
        if (own.value == other.value) continue;
        texts.push_back(fmt::format("--{} ({}, {})", own.spec->name, text_of(own), text_of(other)));
    }
    return joined(texts, ", ");
}

TableComparison comparison_of(const ComparedTable& first, const ComparedTable& second) {
    const bool is_swapped = has_more_channels(second, first);
    const ComparedTable &a = is_swapped ? second : first, &b = is_swapped ? first : second;
    const Comparison result = compare(a.values, b.values, closeness_of(first, second));
    const bool are_same = result.differing == 0 && a.table.shape == b.table.shape &&
                          a.values.is_by_columns == b.values.is_by_columns;
    const std::string relation = result.rearrangement ? "" : relation_between(a, b);
    std::vector<std::string> sentences{sentence(a, b, result, relation),
                                       as_they_stand(a, b, result), shapes(a, b),
                                       settings(a, b, are_same)};
    std::erase(sentences, "");
    return {std::move(sentences), result, is_swapped, are_same, !relation.empty()};
}

namespace {

/// True if one table is contained in the other with its channels in order, and no rows of zeros are
/// left out.
bool is_in_order(const std::optional<Rearrangement>& found) {
    return found && found->zeros.empty() && order_text(*found, "").empty();
}

/// Changes --start so that the table begins `rows` rows later.
/// Throws: UsageError if the encoding has no such number.
void shift_start(Parameters& parameters, const Encoding& encoding, std::int64_t rows) {
    const auto number = [&](const ParameterSpec& spec) {
        return spec.type == ParameterType::integer
                   ? static_cast<double>(parameters.integer(spec.name))
                   : parameters.real(spec.name);
    };
    const ParameterSpec* const start = find_role(encoding.parameters, Role::start);
    if (!start || start->type == ParameterType::reals) throw UsageError("--start: is no number");
    const ParameterSpec* const step = find_role(encoding.parameters, Role::step);
    const double first = number(*start) + static_cast<double>(rows) * (step ? number(*step) : 1);
    parameters.set(start->name, fmt::format("{}", first), Origin::user);
}

/// Returns the encoding's table with other parameters, in the shape of the file.
ComparedTable made_with(Parameters parameters, const ComparedTable& made, const Table& file) {
    const Encoding& encoding = *made.subject->encoding;
    const TableSpec& spec = *find_table(encoding, made.table.provenance.table);
    parameters = fitted(encoding, spec, std::move(parameters), file.shape);
    const std::string_view preset = made.subject->preset ? made.subject->preset->name : "";
    return compared(made.name, made.subject,
                    make_table(encoding, spec, parameters, made.table.dtype, preset), &file);
}

/// Returns a sentence that the command of `table` makes the file, exactly or up to rounding; "" if
/// it does not.
std::string sentence(const ComparedTable& table, const ComparedTable& file) {
    const TableComparison comparison = comparison_of(table, file);
    const auto& found = comparison.result.rearrangement;
    if (!is_in_order(found) || found->shift != 0) return "";
    return fmt::format("{} is made by {}{}.", one_line(file.name),
                       command_of("", figure_provenance(table.table, Parameters())),
                       found->largest == 0 ? "" : ", up to this rounding");
}

}  // namespace

std::string made_by(const ComparedTable& a, const ComparedTable& b,
                    const TableComparison& comparison) {
    const std::optional<Rearrangement>& found = comparison.result.rearrangement;
    if (!is_in_order(found) || a.subject.has_value() == b.subject.has_value()) return "";
    if (comparison.are_same) return "";
    const ComparedTable &made = a.subject ? a : b, &file = a.subject ? b : a;
    const Encoding& encoding = *made.subject->encoding;
    try {
        Parameters parameters = made.table.provenance.parameters;
        if (found->shift != 0) {
            shift_start(parameters, encoding, a.subject ? -found->shift : found->shift);
        }
        const ParameterSpec* const arithmetic = float32_parameter(encoding);
        if (found->largest > 0 && arithmetic) {
            Parameters float32 = parameters;
            float32.set(arithmetic->name, "float32", Origin::user);
            const ComparedTable again = made_with(std::move(float32), made, file.table);
            if (again.values.channels == file.values.channels) return sentence(again, file);
        }
        return sentence(made_with(std::move(parameters), made, file.table), file);
    } catch (const UsageError&) {
        return "";
    }
}

}  // namespace pegen::cli

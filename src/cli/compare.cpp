#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/fitted.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/subject.h"
#include "cli/text_layout.h"
#include "core/error.h"
#include "core/names.h"
#include "core/one_line.h"
#include "files/array_file.h"
#include "inspect/comparison.h"

namespace pegen::cli {
namespace {

constexpr std::int64_t most_values = std::int64_t{1} << 24;

/// The parameter that an option of this name sets; nullptr if the encoding has no such parameter.
const ParameterSpec* find_parameter(const Encoding& encoding, std::string_view name) {
    const auto found = std::ranges::find_if(
        encoding.parameters, [&](const ParameterSpec& spec) { return is_called(spec, name); });
    return found == encoding.parameters.end() ? nullptr : &*found;
}

/// What is compared, as it was typed: a file, or the encoding or preset of this name.
struct Asked {
    std::string_view word;
    std::optional<Subject> subject;  ///< none: a file
};

Asked asked(std::string_view word) {
    if (names_file(word)) return {word, {}};
    return {word, find_subject(word)};
}

/// The short option of a parameter, "n"; "" if it has none.
std::string_view letter_of(const ParameterSpec& spec) {
    for (const std::string_view alias : words(spec.aliases)) {
        if (alias.size() == 1) return alias;
    }
    return "";
}

/// An option for every name and alias of a parameter of either encoding: a name in one may be an
/// alias in the other.
std::vector<ParameterSpec> all_options(const Asked& a, const Asked& b) {
    std::vector<ParameterSpec> options;
    const auto add = [&](std::string_view name, const ParameterSpec& spec) {
        if (std::ranges::find(options, name, &ParameterSpec::name) == options.end()) {
            const bool is_own_name = name == spec.name;
            options.push_back(
                {.name = name, .aliases = is_own_name ? letter_of(spec) : "", .type = spec.type});
        }
    };
    for (const Asked* side : {&a, &b}) {
        if (!side->subject) continue;
        for (const ParameterSpec& spec : side->subject->encoding->parameters) {
            add(spec.name, spec);
            for (const std::string_view alias : words(spec.aliases)) {
                if (alias.size() > 1) add(alias, spec);
            }
        }
    }
    return options;
}

void check_size(std::string_view name, const Table& table) {
    if (table.shape.size() <= most_values) return;
    throw UsageError(fmt::format(
        "compare: {} has shape {}; at most 2^24 values can be compared, so make it smaller", name,
        to_string(table.shape)));
}

/// Makes the table of an encoding: of float64, or, what the options leave open, as a file is.
Table table_of(const Subject& subject, const Arguments& given, const Table* file) {
    Parameters parameters = subject.defaults();
    for (const GivenOption& option : given.options) {
        if (const ParameterSpec* spec = find_parameter(*subject.encoding, option.spec->name)) {
            parameters.set(spec->name, option.text, Origin::user);
        }
    }
    const TableSpec& spec = subject.encoding->tables.front();
    if (file) parameters = fitted(*subject.encoding, spec, parameters, file->shape);
    const bool takes_dtype = file && is_floating(file->dtype) && is_floating(spec.dtype);
    const DType dtype = takes_dtype ? file->dtype : DType::float64;
    Table table = make_table(*subject.encoding, spec, parameters, dtype);
    check_size(subject.name(), table);
    return table;
}

struct Side {
    std::string name;
    std::optional<Subject> subject;
    Table table;
    PositionTable values;
};

Side side_of(const Asked& asked, Table table) {
    PositionTable values = read_positions(table);
    return {asked.subject ? std::string(asked.subject->name()) : one_line(asked.word),
            asked.subject, std::move(table), std::move(values)};
}

Table file_of(const Asked& asked) {
    Table table = open_array(asked.word).table;
    check_size(asked.word, table);
    return table;
}

struct Sides {
    Side first;
    Side second;
    Closeness closeness;  ///< files were computed somewhere, most likely in float32
};

Sides sides_of(const Asked& a, const Asked& b, const Arguments& given) {
    if (a.subject && b.subject) {
        return {side_of(a, table_of(*a.subject, given, nullptr)),
                side_of(b, table_of(*b.subject, given, nullptr)),
                {}};
    }
    if (a.subject) {
        Table file = file_of(b), made = table_of(*a.subject, given, &file);
        const Closeness closeness = closeness_of_float32(file.dtype);
        return {side_of(a, std::move(made)), side_of(b, std::move(file)), closeness};
    }
    Table file = file_of(a);
    Table other = b.subject ? table_of(*b.subject, given, &file) : file_of(b);
    const Closeness of_file = closeness_of_float32(file.dtype),
                    of_other = closeness_of_float32(other.dtype);
    return {side_of(a, std::move(file)), side_of(b, std::move(other)),
            of_file.relative > of_other.relative ? of_file : of_other};
}

std::string joined(const std::vector<std::string>& texts) {
    return fmt::format("{}", fmt::join(texts, ", "));
}

/// "row 3" of a sequence, "position (3, 1)" of a grid, "head 2, row 3" of several sequences.
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
        texts.push_back(fmt::format("position ({})", fmt::join(position, ", ")));
    }
    return joined(texts);
}

/// What the numbers of one position are called.
std::string_view channels(const Side& a, const Side& b) {
    const auto are_channels = [](const Side& side) {
        return side.values.channel_axis.kind == AxisKind::channel;
    };
    return are_channels(a) || are_channels(b) ? "channels" : "columns";
}

/// " from row 1 on", " from position (1, 1) on".
std::string from(std::int64_t first, const std::vector<Axis>& axes) {
    if (first <= 0) return "";
    const auto shifted = std::ranges::count_if(axes, is_shifted_along);
    const std::vector place(static_cast<std::size_t>(shifted), first);
    return fmt::format(" from {} on", at(place, std::vector<Axis>(place.size())));
}

std::string tokens_of(const Side& a, const Side& b) {
    if (a.values.is_by_columns == b.values.is_by_columns) return "";
    return fmt::format(", whose tokens go by {}", b.values.is_by_columns ? "columns" : "rows");
}

bool has_more_channels(const Side& a, const Side& b) {
    return b.values.channels.size() > a.values.channels.size();
}

/// ", up to rounding: ...", where values that are not equal count as equal.
std::string rounding(const Rearrangement& found) {
    constexpr double usual = 2;
    if (found.largest == 0) return "";
    return fmt::format(", up to rounding: the values are at most {:.2g} apart{}", found.largest,
                       found.in_units > usual
                           ? ""
                           : fmt::format(", {:.2g} p 2^-23 at position p, which is usual for "
                                         "float32 arithmetic",
                                         found.in_units));
}

std::string sentence(const Side& a, const Side& b, const Comparison& result) {
    const auto& found = result.rearrangement;
    if (!found) {
        const bool is_sequence = std::ranges::count_if(result.axes, is_shifted_along) == 1;
        const bool has_order = b.values.channels.size() > 1;
        return fmt::format(
            "{} and {} are different tables: they stay different under {}any shift of up to 3 {}.",
            a.name, b.name,
            has_order ? fmt::format("any order of the {} and ", channels(a, b)) : "",
            is_sequence ? "rows" : "positions along each axis");
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
                       tokens, order, exceptions_text(*found), rounding(*found));
}

std::string as_they_stand(const Side& a, const Side& b, const Comparison& result) {
    if (result.differing == 0 || has_more_channels(a, b)) return "";
    std::string place = at(result.place, result.axes);
    if (a.values.channels.size() > 1) {
        const bool knows = a.values.channel_axis.kind != AxisKind::other;
        const Axis& axis = knows ? a.values.channel_axis : b.values.channel_axis;
        place += fmt::format(", {}", index_name(axis, result.channel));
    }
    return fmt::format(
        "Compared directly, {} of {} values differ; the largest difference, {:.3g}, is first seen "
        "in {}.",
        result.differing, result.compared, result.largest, place);
}

std::string shapes(const Side& a, const Side& b) {
    if (a.table.shape == b.table.shape) return "";
    return fmt::format("{} has shape {}, {} has shape {}.", a.name, to_string(a.table.shape),
                       b.name, to_string(b.table.shape));
}

/// The parameters in which two tables of one encoding differ.
std::string settings(const Side& a, const Side& b, bool are_equal) {
    if (!a.subject || !b.subject || a.subject->encoding != b.subject->encoding) return "";
    std::vector<std::string> texts;
    const auto& entries = a.table.provenance.parameters.entries();
    const auto& others = b.table.provenance.parameters.entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (entries[i].value == others[i].value) continue;
        texts.push_back(fmt::format("--{} ({}, {})", entries[i].spec->name, to_string(entries[i]),
                                    to_string(others[i])));
    }
    if (texts.empty()) return "";
    return are_equal
               ? fmt::format("Their settings differ in {}, without effect here.", joined(texts))
               : fmt::format("Their settings differ in {}.", joined(texts));
}

std::string answer(const Side& a, const Side& b, const Closeness& closeness) {
    const Comparison result = compare(a.values, b.values, closeness);
    const bool are_equal = result.differing == 0 && a.table.shape == b.table.shape;
    std::string text;
    for (const std::string& line : {sentence(a, b, result), as_they_stand(a, b, result),
                                    shapes(a, b), settings(a, b, are_equal)}) {
        if (!line.empty()) text += paragraph(line, 0, report_width());
    }
    return text;
}

}  // namespace

std::string compare_help(std::span<const std::string_view>, HelpLength length) {
    Usage usage = command_usage("compare",
                                {"compare marian hf-marian", "compare mae jepa --d 64",
                                 "compare opennmt tensor2tensor --d 16 --len 20"},
                                {});
    usage.sections = "\n" + paragraph(
                                "Both tables get the parameters that they have. The answer "
                                "finds reordered channels and shifted positions.",
                                2);
    return usage_help(usage, length);
}

ExitStatus run_compare(std::span<const std::string_view> arguments) {
    const auto is_option = [](std::string_view word) {
        return word.starts_with('-') && !names_file(word);
    };
    if (arguments.size() < 2 || is_option(arguments[0]) || is_option(arguments[1])) {
        throw UsageError("compare: needs two names first, as in pe-gen compare marian hf-marian");
    }
    const Asked a = asked(arguments[0]), b = asked(arguments[1]);
    const std::vector<ParameterSpec> options = all_options(a, b);
    std::vector<const ParameterSpec*> specs;
    for (const ParameterSpec& option : options) specs.push_back(&option);
    const Arguments given = parse_arguments(arguments.subspan(2), specs, "compare");
    if (!given.positionals.empty()) {
        throw UsageError(fmt::format("unexpected argument '{}'; options begin with --",
                                     given.positionals.front()));
    }
    auto [first, second, closeness] = sides_of(a, b, given);
    if (has_more_channels(second, first)) std::swap(first, second);
    return print(answer(first, second, closeness));
}

}  // namespace pegen::cli

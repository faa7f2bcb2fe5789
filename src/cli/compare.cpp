#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/subject.h"
#include "cli/text_layout.h"
#include "core/error.h"
#include "core/names.h"
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

/// An option for every name and alias of a parameter of either encoding: a name in one may be an
/// alias in the other.
std::vector<ParameterSpec> all_options(const Subject& a, const Subject& b) {
    std::vector<ParameterSpec> options{help_option};
    const auto add = [&](std::string_view name, const ParameterSpec& spec) {
        if (std::ranges::find(options, name, &ParameterSpec::name) == options.end()) {
            options.push_back({.name = name, .type = spec.type});
        }
    };
    for (const Encoding* encoding : {a.encoding, b.encoding}) {
        for (const ParameterSpec& spec : encoding->parameters) {
            add(spec.name, spec);
            for (const std::string_view alias : words(spec.aliases)) add(alias, spec);
        }
    }
    return options;
}

Table table_of(const Subject& subject, const Arguments& given) {
    Parameters parameters = subject.defaults();
    for (const GivenOption& option : given.options) {
        if (const ParameterSpec* spec = find_parameter(*subject.encoding, option.spec->name)) {
            parameters.set(spec->name, option.text, Origin::user);
        }
    }
    Table table =
        make_table(*subject.encoding, subject.encoding->tables.front(), parameters, DType::float64);
    if (table.shape.size() > most_values) {
        throw UsageError(fmt::format(
            "compare: {} is of shape {}; at most 2^24 values can be compared, so ask for fewer",
            subject.name(), to_string(table.shape)));
    }
    return table;
}

struct Side {
    Subject subject;
    Table table;
    PositionTable values;

    std::string_view name() const { return subject.name(); }
};

Side side_of(const Subject& subject, const Arguments& given) {
    Table table = table_of(subject, given);
    PositionTable values = read_positions(table);
    return {subject, std::move(table), std::move(values)};
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

/// The order of the channels in words, or as a list.
std::string order_of(const Rearrangement& found, std::string_view channels) {
    if (!found.order.empty()) return fmt::format(", with {}", found.order);
    if (std::ranges::is_sorted(found.channels)) return "";
    constexpr std::size_t most_shown = 16;
    const std::size_t shown = std::min(found.channels.size(), most_shown);
    return fmt::format(", with its {} in the order {}{}", channels,
                       fmt::join(std::span(found.channels).first(shown), ", "),
                       shown < found.channels.size() ? " ..." : "");
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

std::string exceptions(const Rearrangement& found) {
    if (found.zeros.empty()) return "";
    if (found.zeros.size() == 1) {
        return fmt::format(", but for row {}, which is zeros in one of them", found.zeros.front());
    }
    return fmt::format(", but for {} rows, which are zeros in one of them", found.zeros.size());
}

bool has_more_channels(const Side& a, const Side& b) {
    return b.values.channels.size() > a.values.channels.size();
}

std::string sentence(const Side& a, const Side& b, const Comparison& result) {
    const auto& found = result.rearrangement;
    if (!found) {
        const bool is_sequence = std::ranges::count_if(result.axes, is_shifted_along) == 1;
        const bool has_order = b.values.channels.size() > 1;
        return fmt::format(
            "{} and {} are different tables: {}no shift by up to 3 {} makes them equal.", a.name(),
            b.name(), has_order ? fmt::format("no order of the {} and ", channels(a, b)) : "",
            is_sequence ? "rows" : "positions along each axis");
    }
    const bool has_more = has_more_channels(a, b);
    const std::string order = order_of(*found, channels(a, b)), tokens = tokens_of(a, b);
    if (found->shift == 0 && order.empty() && !has_more && tokens.empty() && found->zeros.empty()) {
        return fmt::format("{} and {} are the same table: all {} values are equal.", a.name(),
                           b.name(), result.compared);
    }
    return fmt::format("{}{} is {}{}{}{}{}{}.", a.name(), from(-found->shift, result.axes),
                       has_more ? "a part of " : "", b.name(), from(found->shift, result.axes),
                       tokens, order, exceptions(*found));
}

std::string as_they_stand(const Side& a, const Side& b, const Comparison& result) {
    if (result.differing == 0 || has_more_channels(a, b)) return "";
    std::string place = at(result.place, result.axes);
    if (a.values.channels.size() > 1) {
        place += fmt::format(", {}", index_name(a.values.channel_axis, result.channel));
    }
    return fmt::format("As they stand, {} of {} values differ, by up to {:.3g}: first in {}.",
                       result.differing, result.compared, result.largest, place);
}

std::string shapes(const Side& a, const Side& b) {
    if (a.table.shape == b.table.shape) return "";
    return fmt::format("{} is of shape {}, {} of shape {}.", a.name(), to_string(a.table.shape),
                       b.name(), to_string(b.table.shape));
}

/// The parameters in which two tables of one encoding differ.
std::string settings(const Side& a, const Side& b) {
    if (a.subject.encoding != b.subject.encoding) return "";
    std::vector<std::string> texts;
    const auto& entries = a.table.provenance.parameters.entries();
    const auto& others = b.table.provenance.parameters.entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (entries[i].value == others[i].value) continue;
        texts.push_back(fmt::format("--{} ({}, {})", entries[i].spec->name, to_string(entries[i]),
                                    to_string(others[i])));
    }
    return texts.empty() ? "" : fmt::format("They differ in {}.", joined(texts));
}

std::string answer(const Side& a, const Side& b) {
    const Comparison result = compare(a.values, b.values);
    std::string text;
    for (const std::string& line :
         {sentence(a, b, result), as_they_stand(a, b, result), shapes(a, b), settings(a, b)}) {
        if (!line.empty()) text += paragraph(line, 0);
    }
    return text;
}

}  // namespace

ExitStatus run_compare(std::span<const std::string_view> arguments) {
    const auto is_option = [](std::string_view word) { return word.starts_with('-'); };
    if (arguments.size() < 2 || is_option(arguments[0]) || is_option(arguments[1])) {
        throw UsageError("compare: needs two names first, as in pe-gen compare marian hf-marian");
    }
    const Subject a = find_subject(arguments[0]), b = find_subject(arguments[1]);
    const std::vector<ParameterSpec> options = all_options(a, b);
    std::vector<const ParameterSpec*> specs;
    for (const ParameterSpec& option : options) specs.push_back(&option);
    const Arguments given = parse_arguments(arguments.subspan(2), specs);
    if (given.has(options.front())) return print(program_help());
    if (!given.positionals.empty()) {
        throw UsageError(
            fmt::format("'{}': unexpected; options begin with --", given.positionals.front()));
    }
    Side first = side_of(a, given), second = side_of(b, given);
    if (has_more_channels(second, first)) std::swap(first, second);
    return print(answer(first, second));
}

}  // namespace pegen::cli

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

/// The parameter that an option of this name sets; nullptr if the encoding has none.
const ParameterSpec* find_parameter(const Encoding& encoding, std::string_view name) {
    const auto found = std::ranges::find_if(
        encoding.parameters, [&](const ParameterSpec& spec) { return is_called(spec, name); });
    return found == encoding.parameters.end() ? nullptr : &*found;
}

/// An option for every name that a parameter of one of the encodings has, aliases included: what is
/// one parameter's name may be another's alias.
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

/// An integer parameter; 0 if the encoding has none of the name, or it has no value.
std::int64_t count_of(const Table& table, std::string_view name) {
    for (const Parameters::Entry& entry : table.provenance.parameters.entries()) {
        const auto* count = std::get_if<std::int64_t>(&entry.value);
        if (entry.spec->name == name && count) return *count;
    }
    return 0;
}

bool is_by_columns(const Table& table) {
    for (const Parameters::Entry& entry : table.provenance.parameters.entries()) {
        if (entry.spec->name == "tokens") return to_string(entry) == "column";
    }
    return false;
}

/// Tokens in rows are taken for the grid they are of.
PositionLayout layout_of(const Table& table) {
    const auto axis = static_cast<int>(std::ranges::find(table.axes, "channel", &Axis::name) -
                                       table.axes.begin());
    PositionLayout layout{axis, {}};
    if (axis == 1 && table.shape.rank() == 2) {
        layout.rows_before = count_of(table, "prefix-rows");
        for (const std::string_view name : {"depth", "height", "width"}) {
            if (const std::int64_t extent = count_of(table, name)) layout.extents.push_back(extent);
        }
        if (layout.extents.empty()) layout.extents = {table.shape[0] - layout.rows_before};
        layout.is_by_columns = is_by_columns(table);
        return layout;
    }
    for (int other = 0; other < table.shape.rank(); ++other) {
        const bool is_one_image =
            table.axes[static_cast<std::size_t>(other)].name == "batch" && table.shape[other] == 1;
        if (other != axis && !is_one_image) layout.extents.push_back(table.shape[other]);
    }
    return layout;
}

struct Side {
    Subject subject;
    Table table;
    PositionLayout layout;

    std::string_view name() const { return subject.name(); }
    std::int64_t channels() const { return table.shape[layout.channel_axis]; }
};

Side side_of(const Subject& subject, const Arguments& given) {
    Table table = table_of(subject, given);
    PositionLayout layout = layout_of(table);
    return {subject, std::move(table), std::move(layout)};
}

/// "row 3" of a sequence, "position (3, 1)" of a grid.
std::string at(const std::vector<std::int64_t>& place) {
    return place.size() == 1 ? fmt::format("row {}", place.front())
                             : fmt::format("position ({})", fmt::join(place, ", "));
}

/// How the channels stand: words, or the list of them.
std::string order_of(const Rearrangement& found) {
    if (!found.order.empty()) return fmt::format(", with {}", found.order);
    if (std::ranges::is_sorted(found.channels)) return "";
    constexpr std::size_t most_shown = 16;
    const std::size_t shown = std::min(found.channels.size(), most_shown);
    return fmt::format(", with its channels in the order {}{}",
                       fmt::join(std::span(found.channels).first(shown), ", "),
                       shown < found.channels.size() ? " ..." : "");
}

/// " from row 1 on", " from position (1, 1) on".
std::string from(std::int64_t first, std::size_t axes) {
    return first > 0 ? fmt::format(" from {} on", at(std::vector(axes, first))) : "";
}

std::string tokens_of(const Side& a, const Side& b) {
    if (a.layout.is_by_columns == b.layout.is_by_columns) return "";
    return fmt::format(", whose tokens go by {}", b.layout.is_by_columns ? "columns" : "rows");
}

std::string exceptions(const Rearrangement& found) {
    if (found.zeros.empty()) return "";
    if (found.zeros.size() == 1) {
        return fmt::format(", but for row {}, which is zeros in one of them", found.zeros.front());
    }
    return fmt::format(", but for {} rows, which are zeros in one of them", found.zeros.size());
}

std::string sentence(const Side& a, const Side& b, const Comparison& result) {
    const auto& found = result.rearrangement;
    const std::size_t axes = result.axes;
    if (!found) {
        return fmt::format(
            "{} and {} are different tables: no order of the channels and no shift by up to 3 {} "
            "makes them equal.",
            a.name(), b.name(), axes == 1 ? "rows" : "positions along each axis");
    }
    const bool has_more = b.channels() > a.channels();
    const std::string order = order_of(*found), tokens = tokens_of(a, b);
    if (found->shift == 0 && order.empty() && !has_more && tokens.empty() && found->zeros.empty()) {
        return fmt::format("{} and {} are the same table: all {} values are equal.", a.name(),
                           b.name(), result.compared);
    }
    return fmt::format("{}{} is {}{}{}{}{}{}.", a.name(), from(-found->shift, axes),
                       has_more ? "a part of " : "", b.name(), from(found->shift, axes), tokens,
                       order, exceptions(*found));
}

std::string as_they_stand(const Side& a, const Side& b, const Comparison& result) {
    const bool has_more = b.channels() > a.channels();
    if (result.differing == 0 || has_more) return "";
    return fmt::format(
        "As they stand, {} of {} values differ, by up to {:.3g}: first in {}, channel {}.",
        result.differing, result.compared, result.largest, at(result.place), result.channel);
}

std::string shapes(const Side& a, const Side& b) {
    if (a.table.shape == b.table.shape) return "";
    return fmt::format("{} is of shape {}, {} of shape {}.", a.name(), to_string(a.table.shape),
                       b.name(), to_string(b.table.shape));
}

/// What the two say differently of the same encoding: where a difference comes from.
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
    return texts.empty() ? "" : fmt::format("They differ in {}.", fmt::join(texts, ", "));
}

std::string answer(const Side& a, const Side& b) {
    const Comparison result =
        compare(read_positions(a.table, a.layout), read_positions(b.table, b.layout));
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
    if (first.channels() > second.channels()) std::swap(first, second);
    return print(answer(first, second));
}

}  // namespace pegen::cli

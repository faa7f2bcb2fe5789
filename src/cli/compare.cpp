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
#include "pegen/core/comparison.h"
#include "pegen/core/error.h"

namespace pegen::cli {
namespace {

constexpr std::int64_t most_values = std::int64_t{1} << 24;

/// The parameters of both encodings, each name once.
std::vector<const ParameterSpec*> all_specs(const Subject& a, const Subject& b) {
    std::vector<const ParameterSpec*> specs{&help_option};
    for (const Encoding* encoding : {a.encoding, b.encoding}) {
        for (const ParameterSpec& spec : encoding->parameters) {
            const auto is_same = [&](const ParameterSpec* other) {
                return other->name == spec.name;
            };
            if (std::ranges::none_of(specs, is_same)) specs.push_back(&spec);
        }
    }
    return specs;
}

bool has_parameter(const Encoding& encoding, std::string_view name) {
    return std::ranges::find(encoding.parameters, name, &ParameterSpec::name) !=
           encoding.parameters.end();
}

Table table_of(const Subject& subject, const Arguments& given) {
    Parameters parameters = subject.defaults();
    for (const GivenOption& option : given.options) {
        if (has_parameter(*subject.encoding, option.spec->name)) {
            parameters.set(option.spec->name, option.text, Origin::user);
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

/// What stands side by side in a row of the table.
std::string_view column_name(const Table& table) {
    const bool has_channels = !table.axes.empty() && table.axes.back().name == "channel";
    return has_channels ? "channel" : "column";
}

/// How the channels stand: words, or the list of them.
std::string order_of(const Rearrangement& found, std::string_view column) {
    if (!found.order.empty()) return fmt::format(", with {}", found.order);
    if (std::ranges::is_sorted(found.channels)) return "";
    constexpr std::size_t most_shown = 16;
    const std::size_t shown = std::min(found.channels.size(), most_shown);
    return fmt::format(", with its {}s in the order {}{}", column,
                       fmt::join(std::span(found.channels).first(shown), ", "),
                       shown < found.channels.size() ? " ..." : "");
}

std::string sentence(std::string_view a, std::string_view b, const Comparison& result,
                     std::string_view column) {
    const auto& found = result.rearrangement;
    if (!found) {
        return fmt::format(
            "{} and {} are different tables: no order of the {}s and no shift "
            "by up to 3 rows makes them equal.",
            a, b, column);
    }
    const std::string order = order_of(*found, column);
    const auto from = [](std::int64_t row) {
        return row > 0 ? fmt::format(" from row {} on", row) : "";
    };
    if (found->shift == 0 && order.empty()) {
        return fmt::format("{} and {} are the same table: all {} values are equal.", a, b,
                           result.compared);
    }
    return fmt::format("{}{} is {}{}{}.", a, from(-found->shift), b, from(found->shift), order);
}

std::string as_they_stand(const Comparison& result, std::string_view column) {
    if (result.differing == 0) return "";
    return fmt::format(
        "As they stand, {} of {} values differ, by up to {:.3g}: first in row {}, "
        "{} {}.",
        result.differing, result.compared, result.largest, result.row, column, result.channel);
}

std::string answer(const Subject& a, const Table& first, const Subject& b, const Table& second) {
    std::string shapes;
    if (first.shape != second.shape) {
        shapes = fmt::format("{} is of shape {}, {} of shape {}.", a.name(), to_string(first.shape),
                             b.name(), to_string(second.shape));
        if (first.shape.columns() != second.shape.columns()) return shapes + "\n";
    }
    const Comparison result = compare(first, second);
    const std::string_view column = column_name(first);
    std::string text;
    for (const std::string& line :
         {shapes, sentence(a.name(), b.name(), result, column), as_they_stand(result, column)}) {
        if (!line.empty()) text += paragraph(line, 0);
    }
    return text;
}

}  // namespace

void run_compare(std::span<const std::string_view> arguments) {
    const auto is_option = [](std::string_view word) { return word.starts_with('-'); };
    if (arguments.size() < 2 || is_option(arguments[0]) || is_option(arguments[1])) {
        throw UsageError("compare: needs two names first, as in pe-gen compare marian hf-marian");
    }
    const Subject a = find_subject(arguments[0]), b = find_subject(arguments[1]);
    const Arguments given = parse_arguments(arguments.subspan(2), all_specs(a, b));
    if (given.has(help_option)) return print(program_help());
    if (!given.positionals.empty()) {
        throw UsageError(
            fmt::format("'{}': unexpected; options begin with --", given.positionals.front()));
    }
    print(answer(a, table_of(a, given), b, table_of(b, given)));
}

}  // namespace pegen::cli

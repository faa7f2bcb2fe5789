#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/compare_report.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/subject.h"
#include "cli/text_layout.h"
#include "core/error.h"
#include "core/names.h"
#include "core/one_line.h"
#include "files/array_file.h"
#include "identify/fitted.h"

namespace pegen::cli {
namespace {

constexpr std::int64_t most_values = std::int64_t{1} << 24;

/// What is compared, as it was typed: a file, or the encoding or preset of this name.
struct Asked {
    std::string_view word;
    std::optional<Subject> subject;  ///< none: a file
};

Asked asked(std::string_view word) {
    if (names_file(word)) return {word, {}};
    return {word, find_subject(word)};
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
        if (const ParameterSpec* spec =
                find_option(subject.encoding->parameters, option.spec->name)) {
            parameters.set(spec->name, option.text, Origin::user);
        }
    }
    const TableSpec& spec = subject.encoding->tables.front();
    if (file) parameters = identify::fitted(*subject.encoding, spec, parameters, file->shape);
    const bool takes_dtype = file && is_floating(file->dtype) && is_floating(spec.dtype);
    const DType dtype = takes_dtype ? file->dtype : DType::float64;
    Table table = make_table(*subject.encoding, spec, parameters, dtype);
    check_size(subject.name(), table);
    return table;
}

ComparedTable compared(const Asked& asked, Table table) {
    PositionTable values = read_positions(table);
    return {asked.subject ? std::string(asked.subject->name()) : one_line(asked.word),
            asked.subject, std::move(table), std::move(values)};
}

/// Throws: UsageError for integers that doubles cannot tell apart.
void check_integers(std::string_view name, const Table& table) {
    constexpr double two_to_53 = 0x1p53;
    const std::vector<double> values = read_rows(table, {0, table.shape.rows()});
    const auto is_exact = [](double value) { return -two_to_53 < value && value < two_to_53; };
    if (std::ranges::all_of(values, is_exact)) return;
    throw UsageError(fmt::format(
        "compare: {} has integers beyond 2^53; pe-gen diff compares them exactly", name));
}

std::optional<Table> file_of(const Asked& asked) {
    if (asked.subject) return {};
    Table table = open_array(asked.word).table;
    check_size(asked.word, table);
    if (!is_floating(table.dtype)) check_integers(asked.word, table);
    return table;
}

/// True if the values are drawn at random.
bool is_drawn(const Encoding& encoding) { return find_option(encoding.parameters, "seed"); }

struct ComparedTables {
    ComparedTable first;
    ComparedTable second;
    Closeness closeness;
};

ComparedTables sides_of(const Asked& a, const Asked& b, const Arguments& given) {
    const std::optional<Table> file_a = file_of(a), file_b = file_of(b);
    const Table* const file = file_a ? &*file_a : file_b ? &*file_b : nullptr;
    ComparedTables sides{compared(a, file_a ? *file_a : table_of(*a.subject, given, file)),
                         compared(b, file_b ? *file_b : table_of(*b.subject, given, file)),
                         {}};
    // A table of positions was most likely computed in float32. Drawn numbers were not.
    const std::optional<Subject>& subject = a.subject ? a.subject : b.subject;
    const bool is_computed =
        file && subject && file->dtype != DType::float64 && !is_drawn(*subject->encoding);
    if (is_computed) sides.closeness = closeness_of_float32(file->dtype);
    return sides;
}

}  // namespace

Usage compare_usage(std::span<const std::string_view>, HelpLength) {
    Usage usage = command_usage(
        "compare",
        {"compare marian hf-marian", "compare mae jepa --d 64",
         "compare opennmt tensor2tensor --d 16 --len 20"},
        {}, {.most = 2, .are_names = true, .are_files = true, .bring_parameters = true});
    usage.remark =
        "Both tables get the parameters that they have. The answer finds reordered channels and "
        "shifted positions.";
    return usage;
}

ExitStatus run_compare(std::span<const std::string_view> arguments) {
    const auto is_option = [](std::string_view word) {
        return word.starts_with('-') && !names_file(word);
    };
    if (arguments.size() < 2 || is_option(arguments[0]) || is_option(arguments[1])) {
        throw UsageError(
            "compare: needs two names or files first, as in pe-gen compare mine.npy sinusoid");
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
    return print(compare_report(first, second, closeness));
}

}  // namespace pegen::cli

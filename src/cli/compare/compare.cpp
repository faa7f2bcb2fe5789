#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/compare/report.h"
#include "cli/help/help.h"
#include "cli/identified_as.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/subject.h"
#include "cli/text_layout.h"
#include "core/dtype.h"
#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "core/utf8.h"
#include "files/array_file.h"
#include "inspect/fitted.h"

namespace pegen::cli {
namespace {

/// One side of the comparison as it was typed: a file, or the name of an encoding or preset.
struct Asked {
    std::string_view word;
    std::optional<Subject> subject;  ///< empty for a file
};

Asked asked(std::string_view word) {
    if (names_file(word)) return {word, {}};
    return {word, typed_subject(word)};
}

/// Returns an option for every name and alias of the parameters of both encodings. Aliases are
/// options of their own, since a name in one encoding may be an alias in the other.
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

/// Makes the table of an encoding. Extents that the options leave open, and a real dtype, are taken
/// from the other side's `file`. Without a file of real numbers, the dtype is float64.
Table table_of(const Subject& subject, const Arguments& given, const Table* file) {
    Parameters parameters = subject.defaults();
    for (const GivenOption& option : given.options) {
        if (const ParameterSpec* spec =
                find_option(subject.encoding->parameters, option.spec->name)) {
            parameters.set(spec->name, option.text, Origin::user);
        }
    }
    const TableSpec& spec = subject.encoding->tables.front();
    if (file) parameters = fitted(*subject.encoding, spec, parameters, file->shape);
    const bool takes_dtype = file && is_floating(file->dtype) && is_floating(spec.dtype);
    const DType dtype = takes_dtype ? file->dtype : DType::float64;
    return make_table(*subject.encoding, spec, parameters, dtype);
}

ComparedTable side_of(const Asked& asked, const std::optional<Table>& own, const Table* file,
                      const Arguments& given) {
    if (own) return compared(one_line(asked.word), {}, *own);
    return compared(std::string(asked.subject->name()), asked.subject,
                    table_of(*asked.subject, given, file), file);
}

std::optional<Table> file_of(const Asked& asked) {
    if (asked.subject) return {};
    return open_array(asked.word).table;
}

/// Adds to the comparison what the tables are made by.
void add_origins(const ComparedTable& a, const ComparedTable& b, TableComparison& comparison) {
    const std::string made = made_by(a, b, comparison);
    if (!made.empty()) comparison.sentences.push_back(made);
    const bool is_known = comparison.are_same || comparison.is_explained || !made.empty() ||
                          (comparison.result.rearrangement && !a.subject && !b.subject);
    for (const ComparedTable* side : {&a, &b}) {
        if (side->subject || is_known) continue;
        const FileOrigin origin = identified_as(side->name, side->table);
        if (!origin.sentence.empty()) comparison.sentences.push_back(origin.sentence);
        const ComparedTable& other = side == &a ? b : a;
        if (!other.subject || other.subject->encoding != origin.encoding) continue;
        const std::string settings =
            settings_text(origin.parameters, other.table.provenance.parameters);
        if (settings.empty()) continue;
        comparison.sentences.push_back(
            fmt::format("It differs from {} in {}.", other.name, settings));
    }
}

std::string as_text(const TableComparison& comparison) {
    std::string text;
    for (const std::string& line : comparison.sentences) text += paragraph(line, 0, report_width());
    return text;
}

Json as_json(const ComparedTable& a, const ComparedTable& b, const TableComparison& comparison) {
    const auto side = [](const ComparedTable& table) -> Json {
        return {{"name", table.name},
                {"shape", table.table.shape.extents()},
                {"dtype", info(table.table.dtype).name}};
    };
    const Comparison& result = comparison.result;
    Json json{{"a", side(a)},
              {"b", side(b)},
              {"same", comparison.are_same},
              {"compared", result.compared},
              {"differing", result.differing},
              {"largest", std::isfinite(result.largest) ? Json(result.largest) : Json("Infinity")},
              {"rearrangement", nullptr},
              {"sentences", comparison.sentences}};
    if (const std::optional<Rearrangement>& found = result.rearrangement) {
        json["rearrangement"] = {{"of", comparison.is_swapped ? "b" : "a"},
                                 {"shift", found->shift},
                                 {"channels", found->channels},
                                 {"zeros", found->zeros},
                                 {"largest", found->largest}};
    }
    return json;
}

}  // namespace

Usage compare_usage(std::span<const std::string_view>, HelpLength) {
    Usage usage =
        command_usage("compare",
                      {"compare marian hf-marian", "compare mae jepa --d 64",
                       "compare opennmt tensor2tensor --d 16 --len 20"},
                      {{"Options", {&json_option}}},
                      {.most = 2, .are_names = true, .are_files = true, .bring_parameters = true});
    usage.remark =
        "Both tables get the parameters that they have. The answer finds reordered channels and "
        "shifted positions.";
    return usage;
}

ExitStatus run_compare(std::span<const std::string_view> words) {
    std::vector<std::string_view> arguments(words.begin(), words.end());
    // The names bring the options, so they must be the first words, but for the option of all.
    std::stable_partition(arguments.begin(), arguments.end(),
                          [](std::string_view word) { return word != "--json"; });
    const auto is_option = [](std::string_view word) {
        return word.starts_with('-') && !names_file(word);
    };
    if (arguments.size() < 2 || is_option(arguments[0]) || is_option(arguments[1])) {
        throw UsageError(
            "compare: needs two names or files first, as in pe-gen compare mine.npy sinusoid");
    }
    const Asked a = asked(arguments[0]), b = asked(arguments[1]);
    const std::vector<ParameterSpec> options = all_options(a, b);
    std::vector<const ParameterSpec*> specs{&json_option};
    for (const ParameterSpec& option : options) specs.push_back(&option);
    const Arguments given = parse_arguments(std::span(arguments).subspan(2), specs, "compare");
    if (!given.positionals.empty()) {
        throw UsageError(fmt::format("unexpected argument '{}'; options begin with --",
                                     given.positionals.front()));
    }
    const std::optional<Table> file_a = file_of(a), file_b = file_of(b);
    const Table* const file = file_a ? &*file_a : file_b ? &*file_b : nullptr;
    const ComparedTable table_a = side_of(a, file_a, file, given);
    const ComparedTable table_b = side_of(b, file_b, file, given);
    TableComparison comparison = comparison_of(table_a, table_b);
    add_origins(table_a, table_b, comparison);
    return print(report(given.has(json_option), "compare", as_json(table_a, table_b, comparison),
                        as_text(comparison)));
}

}  // namespace pegen::cli

#include "cli/help/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "cli/commands.h"
#include "cli/request.h"
#include "cli/text_layout.h"
#include "core/names.h"
#include "encodings/registry.h"
#include "formats/registry.h"
#include "formats/source.h"

namespace pegen::cli {

std::string_view placeholder(const ParameterSpec& spec) {
    switch (spec.type) {
        case ParameterType::integer:
            return " N";
        case ParameterType::real:
            return " X";
        case ParameterType::integers:
            return " N,...";
        case ParameterType::reals:
            return " X,...";
        case ParameterType::size:
            return " WxH";
        case ParameterType::word:
            return " WORD";
        case ParameterType::text:
            return " TEXT";
        case ParameterType::path:
            return " FILE";
        case ParameterType::flag:
            break;
    }
    return "";
}

std::string long_aliases(const ParameterSpec& spec) {
    std::string result;
    for (const std::string_view alias : words(spec.aliases)) {
        if (alias.size() > 1) result += fmt::format("{}--{}", result.empty() ? "" : " ", alias);
    }
    return result;
}

std::string explanation(const ParameterSpec& spec, std::string_view initial) {
    std::string text(spec.summary);
    if (spec.type == ParameterType::word) {
        text += fmt::format(": {}", joined(words(spec.choices), ", "));
    }
    if (!initial.empty()) text += fmt::format(" [{}]", initial);
    return text;
}

std::string initial_value(const Parameters::Entry& parameter) {
    const bool is_shown = parameter.spec->type != ParameterType::flag &&
                          !std::holds_alternative<NoValue>(parameter.value);
    return is_shown ? to_string(parameter) : "";
}

namespace {

constexpr std::size_t option_column = 28;
constexpr std::size_t name_column = 22;

/// Returns the option's letter, if any, and its name: "-o, --output".
std::string aligned_names(const ParameterSpec& spec) {
    const std::string_view letter = letter_of(spec);
    return letter.empty() ? fmt::format("    --{}", spec.name)
                          : fmt::format("-{}, --{}", letter, spec.name);
}

/// Returns the entry of an option. `initial` is the default; "" for none.
std::string option_entry(const ParameterSpec& spec, std::string_view initial, HelpLength length) {
    std::string result = two_columns(fmt::format("  {}{}", aligned_names(spec), placeholder(spec)),
                                     explanation(spec, initial), option_column);
    const std::string aliases = long_aliases(spec);
    if (length == HelpLength::full && !aliases.empty()) {
        result += two_columns("", "also " + aliases, option_column);
    }
    return result;
}

bool has_all_outputs(const OptionGroup& group) {
    return group.specs.front() == output_options().data();
}

std::string options_section(const OptionGroup& group, HelpLength length) {
    if (length == HelpLength::brief && has_all_outputs(group)) return outputs_section();
    std::string text = "\n" + paragraph(group.title, 0);
    for (const ParameterSpec* spec : group.specs) {
        text += option_entry(*spec, spec->default_value, length);
    }
    return text;
}

/// Returns a section with the names of the options that brief help does not explain; "" if there
/// are none.
std::string further_options(const Usage& usage) {
    std::string text;
    for (const OptionGroup& group : usage.options) {
        if (group.is_in_brief_help) continue;
        std::vector<std::string> names;
        for (const ParameterSpec* spec : group.specs)
            names.push_back(fmt::format("--{}", spec->name));
        text += entry(group.title, joined(names, " "));
    }
    if (text.empty()) return "";
    return fmt::format("\nMore options\n{}", text) +
           paragraph(fmt::format("pe-gen {} --help all explains them.", usage.name), 2);
}

}  // namespace

std::string entry(std::string_view name, std::string_view text) {
    return two_columns(fmt::format("  {}", name), text, name_column);
}

std::string examples_section(const std::vector<std::string>& examples) {
    std::string text = "\nExamples\n";
    for (const std::string& example : examples) text += command_line("pe-gen " + example);
    return text;
}

std::string outputs_section() {
    std::vector<std::string_view> formats, extensions;
    for (const Format* format : all_formats()) {
        if (!format->is_shown) formats.push_back(format->name);
    }
    std::string text = "\n" + paragraph("Outputs (default: standard output)", 0);
    for (const ParameterSpec& spec : output_options()) {
        const bool is_format = std::ranges::count(formats, spec.name) > 0;
        if (is_format && spec.name == formats.front()) {
            text +=
                two_columns("      --FORMAT FILE",
                            fmt::format("the same, whatever the name of the file; FORMAT is {}; "
                                        "- is standard output",
                                        joined(formats, ", ")),
                            option_column);
        }
        if (!is_format) text += option_entry(spec, "", HelpLength::brief);
    }
    return text;
}

std::string parameters_section(const Subject& subject, HelpLength length) {
    std::string text = "\nParameters\n";
    const Parameters defaults = subject.defaults();
    for (const Parameters::Entry& parameter : defaults.entries()) {
        text += option_entry(*parameter.spec, initial_value(parameter), length);
    }
    return text;
}

std::string tables_section(const Encoding& encoding) {
    if (!encoding.file_parameter.empty()) return "";
    std::string text = "\nTables\n";
    for (const TableSpec& table : encoding.tables) text += entry(table.name, table.summary);
    return text;
}

std::vector<std::string> examples_of(const Subject& subject) {
    const std::string_view name = subject.name();
    // A preset does not show the examples of its encoding: their options may contradict the preset.
    if (subject.preset) {
        return {std::string(name), fmt::format("{0} -o {0}.npy", name),
                fmt::format("{0} -o {0}.png", name)};
    }
    std::vector<std::string> examples;
    for (const std::string_view line : words(subject.encoding->examples, '\n')) {
        const std::string_view arguments = line.substr(subject.encoding->name.size());
        examples.push_back(fmt::format("{}{}", name, arguments));
    }
    return examples;
}

std::string title(const Subject& subject) {
    return paragraph(
        fmt::format("{}: {}", subject.name(),
                    subject.preset ? subject.preset->summary : subject.encoding->summary),
        0);
}

std::string equivalence(const Preset& preset) {
    const std::string_view separator = preset.settings.empty() ? "" : " ";
    return fmt::format("pe-gen {} is pe-gen {}{}{}", preset.name, preset.encoding->name, separator,
                       preset.settings);
}

Usage command_usage(std::string_view name, std::vector<std::string> examples,
                    std::vector<OptionGroup> options, Operands operands) {
    const Command& command = *find_command(name);
    return {.name = std::string(name),
            .summary = std::string(command.summary),
            .arguments = std::string(command.arguments),
            .examples = std::move(examples),
            .options = std::move(options),
            .operands = std::move(operands)};
}

std::string usage_help(const Usage& usage, HelpLength length) {
    const std::string call = fmt::format("pe-gen {} {}", usage.name, usage.arguments);
    std::string text = paragraph(fmt::format("{}: {}", usage.name, usage.summary), 0) +
                       examples_section(usage.examples) + "\nUsage\n" + paragraph(call, 2) +
                       usage.parameters;
    if (!usage.operands.title.empty()) {
        text += fmt::format("\n{}\n", usage.operands.title);
        for (const NamedWord& word : usage.operands.words) text += entry(word.name, word.summary);
    }
    for (const Glossary& glossary : usage.glossaries) {
        text += fmt::format("\n{}\n", glossary.title);
        for (const auto& [name, meaning] : glossary.entries) text += entry(name, meaning);
    }
    if (!usage.remark.empty()) text += "\n" + paragraph(usage.remark, 2);
    for (const OptionGroup& group : usage.options) {
        if (length == HelpLength::full || group.is_in_brief_help) {
            text += options_section(group, length);
        }
    }
    return length == HelpLength::full ? text : text + further_options(usage);
}

Usage subject_usage(const Subject& subject, HelpLength length) {
    const Encoding& encoding = *subject.encoding;
    std::string parameters;
    if (subject.preset) {
        parameters += fmt::format("\n{}", paragraph(equivalence(*subject.preset), 2));
    }
    parameters += parameters_section(subject, length) + tables_section(encoding);
    // The subjects plot and concat are also commands.
    const Command* const command = find_command(subject.name());
    return {
        .name = std::string(subject.name()),
        .summary = std::string(subject.preset ? subject.preset->summary : encoding.summary),
        .arguments = std::string(command ? command->arguments : "[parameters] [outputs] [options]"),
        .examples = examples_of(subject),
        .parameters = std::move(parameters),
        .options = option_groups(subject)};
}

}  // namespace pegen::cli

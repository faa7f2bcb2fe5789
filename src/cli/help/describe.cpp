#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "cli/apply/operation.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/help/catalogue.h"
#include "cli/help/help.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/subject.h"
#include "cli/text_layout.h"
#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "core/parameters.h"
#include "core/utf8.h"
#include "encodings/encoding.h"
#include "encodings/other_encodings.h"
#include "encodings/registry.h"
#include "formats/command.h"
#include "inspect/neighbours.h"

namespace pegen::cli {

namespace {

/// Returns a section on the presets that make the same table; "" if there are none.
std::string same_table(const std::vector<Neighbour>& neighbours) {
    std::vector<std::string_view> names;
    for (const auto& [preset, settings] : neighbours) {
        if (settings.empty()) names.push_back(preset->name);
    }
    if (names.empty()) return "";
    return fmt::format("\nThe same table as\n{}", paragraph(joined(names, ", "), 2));
}

/// Returns a section on the presets that make a similar table, with the options that each sets:
/// "--axes yx --order kfa".
std::string similar_tables(const std::vector<Neighbour>& neighbours) {
    std::string text;
    for (const auto& [preset, settings] : neighbours) {
        std::string options;
        for (const Parameters::Entry& setting : settings) {
            options += fmt::format(" --{} {}", setting.spec->name, to_string(setting));
        }
        if (!options.empty()) text += entry(preset->name, options.substr(1));
    }
    return text.empty()
               ? ""
               : "\n" + paragraph("Similar presets, and what they set differently", 0) + text;
}

std::string preset_description(const Preset& preset) {
    std::string text = fmt::format("\n{}", paragraph(equivalence(preset), 2));
    if (!preset.aliases.empty()) {
        text += paragraph(fmt::format("also {}", joined(words(preset.aliases), ", ")), 2);
    }
    if (!preset.note.empty()) text += fmt::format("\n{}", paragraph(preset.note, 2));
    const std::vector<Neighbour> neighbours = neighbours_of(preset);
    return text + same_table(neighbours) + similar_tables(neighbours) +
           fmt::format("\nSource\n{}", paragraph(preset.source, 2));
}

std::string presets_of(const Encoding& encoding) {
    std::string text;
    for (const Preset& preset : all_presets()) {
        if (preset.encoding == &encoding) text += entry(preset.name, preset.summary);
    }
    return text.empty() ? "" : "\nPresets\n" + text;
}

/// Returns the description of an encoding, a preset or a mechanism, as `pe-gen describe NAME`
/// prints it.
std::string description(const Subject& subject) {
    const Encoding& encoding = *subject.encoding;
    std::string text = title(subject);
    if (subject.preset) text += preset_description(*subject.preset);
    text += "\nFormula\n" + formula(formula_with(encoding, subject.defaults()), 2);
    if (encoding.formula_of) text += "  in general\n" + formula(encoding.formula, 4);
    if (!subject.preset) text += fmt::format("\nSource\n{}", paragraph(encoding.source, 2));
    text += parameters_section(subject, HelpLength::full) + tables_section(encoding);
    if (!subject.preset) text += presets_of(encoding);
    return text + examples_section(examples_of(subject));
}

/// Returns the operation of `apply` that the words name, if it has a description; nullptr if not.
const Operation* described_operation(std::span<const std::string_view> names) {
    if (!names.empty() && names.front() == "apply") names = names.subspan(1);
    if (names.size() != 1) return nullptr;
    for (const Operation* operation : all_operations()) {
        if (operation->description && operation->name == hyphenated(names.front()))
            return operation;
    }
    return nullptr;
}

/// Returns the settings that were taken from a file, with their sources.
std::string taken_section(const std::vector<FileDescription::Taken>& taken) {
    constexpr std::size_t source_column = 38;
    std::string text = "\nTaken\n";
    for (const auto& [parameter, source] : taken) {
        text += two_columns(fmt::format("  --{}", parameter), one_line(source), source_column,
                            report_width());
    }
    return text;
}

/// Returns the description of a model configuration whose tables other encodings make.
std::string description(const OtherEncodings& other) {
    std::string text = one_line(other.title) + "\n";
    if (!other.taken.empty()) text += taken_section(other.taken);
    text += "\nThe same without the file\n";
    for (const std::string& command : other.commands) text += fmt::format("  {}\n", command);
    if (!other.remark.empty()) text += "\nValues\n" + paragraph(other.remark, 2);
    if (!other.vision.empty()) text += "\nvision_config\n" + paragraph(one_line(other.vision), 2);
    return text;
}

/// Returns the description of the model configuration that the parameter config names: the settings
/// that were read and their sources, the equivalent command without the file, and notes.
/// Throws: as Encoding::describe_config.
std::string config_text(const Encoding& encoding, const Parameters& parameters) try {
    const FileDescription file = encoding.describe_config(parameters);
    std::string text = one_line(file.title) + "\n" + taken_section(file.taken);
    if (!file.ignored.empty()) text += "\nIgnored\n";
    for (const std::string& setting : file.ignored) text += "  " + one_line(setting) + "\n";
    text += fmt::format("\nThe same without the file\n  {}\n", command_of(encoding, file));
    for (const auto& [heading, remark] : file.remarks) {
        text += fmt::format("\n{}\n{}", heading, paragraph(remark, 2, report_width()));
    }
    return text;
} catch (const OtherEncodings& other) {
    return description(other);
}

Json taken_json(const std::vector<FileDescription::Taken>& taken) {
    Json list = Json::array();
    for (const auto& [parameter, source] : taken) {
        list.push_back({{"parameter", parameter}, {"source", source}});
    }
    return list;
}

/// Returns the answer of `describe --config` as the content of a report in JSON.
Json config_json(const Encoding& encoding, const Parameters& parameters) {
    Json json;
    Json remarks = Json::array();
    try {
        const FileDescription file = encoding.describe_config(parameters);
        json["title"] = file.title;
        json["taken"] = taken_json(file.taken);
        json["ignored"] = file.ignored;
        json["commands"] = std::vector{command_of(encoding, file)};
        for (const auto& [heading, text] : file.remarks) {
            remarks.push_back({{"heading", heading}, {"text", text}});
        }
    } catch (const OtherEncodings& other) {
        json["title"] = other.title;
        json["taken"] = taken_json(other.taken);
        json["ignored"] = Json::array();
        json["commands"] = other.commands;
        for (const auto& [heading, text] :
             {std::pair("values", other.remark), std::pair("vision_config", other.vision)}) {
            if (!text.empty()) remarks.push_back({{"heading", heading}, {"text", text}});
        }
    }
    json["remarks"] = remarks;
    return json;
}

/// Returns the encoding, and the preset or null, as the content of a report in JSON.
Json subject_json(const Subject& subject) {
    return {
        {"encoding", encodings_json(std::array{subject.encoding})[0]},
        {"preset", subject.preset ? preset_json(*subject.preset) : Json()},
        {"formula", formula_with(*subject.encoding, subject.defaults())},
    };
}

const ParameterSpec& config_option() {
    return *std::ranges::find(configurable_encoding().parameters, "config", &ParameterSpec::name);
}

}  // namespace

Usage describe_usage(std::span<const std::string_view>, HelpLength) {
    return command_usage("describe", {"describe fairseq", "describe --config config.json"},
                         {{"Options", {&config_option(), &json_option}}}, {.are_names = true});
}

ExitStatus run_describe(std::span<const std::string_view> arguments) {
    const Encoding& encoding = configurable_encoding();
    std::vector<const ParameterSpec*> options{&json_option};
    for (const ParameterSpec& spec : encoding.parameters) options.push_back(&spec);
    Arguments given = parse_arguments(arguments, options, "describe");
    const bool is_json = given.has(json_option);
    std::erase_if(given.options,
                  [](const GivenOption& option) { return option.spec == &json_option; });
    const std::vector<std::string_view> names(given.positionals.begin(), given.positionals.end());
    if (given.has(config_option()) && names.empty()) {
        const Parameters parameters = with_options(Parameters(encoding.parameters), given.options);
        return print(report(is_json, "describe-config", config_json(encoding, parameters),
                            config_text(encoding, parameters)));
    }
    const Operation* const operation = described_operation(names);
    if (operation && is_json) {
        throw UsageError("--json: is for a name or a configuration, not for an operation");
    }
    if (operation) {
        const std::vector<std::string_view> examples = words(operation->examples, '\n');
        return print(fmt::format("{}: {}\n{}{}", operation->name, operation->summary,
                                 operation->description(),
                                 examples_section({examples.begin(), examples.end()})));
    }
    const bool has_name = !names.empty() && given.options.empty();
    if (!has_name || !named_arguments(names).rest.empty()) {
        throw UsageError(
            "describe: needs one name, as in pe-gen describe sinusoid, or --config config.json");
    }
    const Subject subject = named_arguments(names).subject;
    return print(report(is_json, "describe", subject_json(subject), description(subject)));
}

}  // namespace pegen::cli

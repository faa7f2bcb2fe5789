#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/request.h"
#include "cli/text_layout.h"
#include "core/names.h"
#include "encodings/registry.h"
#include "formats/registry.h"
#include "inspect/neighbours.h"

namespace pegen::cli {
namespace {

constexpr std::size_t option_column = 28;
constexpr std::size_t name_column = 22;

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

/// "-o, --output"
std::string option_names(const ParameterSpec& spec) {
    for (const std::string_view alias : words(spec.aliases)) {
        if (alias.size() == 1) return fmt::format("-{}, --{}", alias, spec.name);
    }
    return fmt::format("    --{}", spec.name);
}

std::string long_aliases(const ParameterSpec& spec) {
    std::string result;
    for (const std::string_view alias : words(spec.aliases)) {
        if (alias.size() > 1) result += fmt::format("{}--{}", result.empty() ? "" : " ", alias);
    }
    return result;
}

/// The entry of an option; `initial` is its value if it is not given, "" for none.
std::string option_help(const ParameterSpec& spec, std::string_view initial) {
    std::string text(spec.summary);
    if (spec.type == ParameterType::word) {
        text += fmt::format(": {}", fmt::join(words(spec.choices), ", "));
    }
    if (!initial.empty()) text += fmt::format(" [{}]", initial);
    std::string result = two_columns(fmt::format("  {}{}", option_names(spec), placeholder(spec)),
                                     text, option_column);
    const std::string aliases = long_aliases(spec);
    if (!aliases.empty()) result += two_columns("", "also " + aliases, option_column);
    return result;
}

std::string parameters_help(const Subject& subject) {
    std::string text = "\nParameters\n";
    const Parameters defaults = subject.defaults();
    for (const Parameters::Entry& entry : defaults.entries()) {
        const bool is_shown = entry.spec->type != ParameterType::flag &&
                              !std::holds_alternative<NoValue>(entry.value);
        text += option_help(*entry.spec, is_shown ? to_string(entry) : "");
    }
    return text;
}

std::string group_help(const OptionGroup& group) {
    std::string text = fmt::format("\n{}\n", group.title);
    for (const ParameterSpec* spec : group.specs) text += option_help(*spec, spec->default_value);
    return text;
}

std::string tables_help(const Encoding& encoding) {
    std::string text = "\nTables\n";
    for (const TableSpec& table : encoding.tables) {
        text += two_columns(fmt::format("  {}", table.name), table.summary, name_column);
    }
    return text;
}

/// The examples of the encoding, with the name that was asked for.
std::vector<std::string> examples_of(const Subject& subject) {
    const std::string_view name = subject.name();
    // What an encoding's examples set may contradict a preset.
    if (subject.preset) {
        return {std::string(name), fmt::format("{} --npy {}.npy", name, name),
                fmt::format("{} --png {}.png", name, name)};
    }
    std::vector<std::string> examples;
    for (const std::string_view line : words(subject.encoding->examples, '\n')) {
        const std::string_view arguments = line.substr(subject.encoding->name.size());
        examples.push_back(fmt::format("{}{}", name, arguments));
    }
    return examples;
}

std::string examples_help(const std::vector<std::string>& examples) {
    std::string text = "\nExamples\n";
    for (const std::string& example : examples) text += fmt::format("  pe-gen {}\n", example);
    return text;
}

std::string title(const Subject& subject) {
    return fmt::format("{}: {}\n", subject.name(),
                       subject.preset ? subject.preset->summary : subject.encoding->summary);
}

/// "pe-gen whisper is pe-gen sinusoid --layout halves --denom-shift 2"
std::string equivalence(const Preset& preset) {
    const std::string_view separator = preset.settings.empty() ? "" : " ";
    return fmt::format("pe-gen {} is pe-gen {}{}{}", preset.name, preset.encoding->name, separator,
                       preset.settings);
}

/// The presets that make the same table.
std::string same_table(const std::vector<Neighbour>& neighbours) {
    std::vector<std::string_view> names;
    for (const auto& [preset, settings] : neighbours) {
        if (settings.empty()) names.push_back(preset->name);
    }
    if (names.empty()) return "";
    return fmt::format("\nThe same table as\n{}",
                       paragraph(fmt::format("{}", fmt::join(names, ", ")), 2));
}

/// The presets that make a similar table, with what they set: "--axes yx --order kfa".
std::string similar_tables(const std::vector<Neighbour>& neighbours) {
    std::string text;
    for (const auto& [preset, settings] : neighbours) {
        std::string options;
        for (const Parameters::Entry& entry : settings) {
            options += fmt::format(" --{} {}", entry.spec->name, to_string(entry));
        }
        if (!options.empty()) {
            text += two_columns(fmt::format("  {}", preset->name), options.substr(1), name_column);
        }
    }
    return text.empty() ? "" : "\nNeighbours, and what they set otherwise\n" + text;
}

std::string preset_description(const Preset& preset) {
    std::string text = fmt::format("\n{}", paragraph(equivalence(preset), 2));
    if (!preset.aliases.empty()) {
        text += paragraph(fmt::format("also {}", fmt::join(words(preset.aliases), ", ")), 2);
    }
    if (!preset.note.empty()) text += fmt::format("\n{}", paragraph(preset.note, 2));
    const std::vector<Neighbour> neighbours = neighbours_of(preset);
    return text + same_table(neighbours) + similar_tables(neighbours) +
           fmt::format("\nSource\n{}", paragraph(preset.source, 2));
}

std::string presets_of(const Encoding& encoding) {
    std::string text;
    for (const Preset& preset : all_presets()) {
        if (preset.encoding != &encoding) continue;
        text += two_columns(fmt::format("  {}", preset.name), preset.summary, name_column);
    }
    return text.empty() ? "" : "\nPresets\n" + text;
}

}  // namespace

std::string program_help() {
    std::string text =
        "pe-gen: position encodings of Transformers, as tables and figures\n"
        "\n"
        "Usage\n"
        "  pe-gen ENCODING|PRESET [parameters] [outputs] [figure options]\n";
    for (const Command& command : all_commands()) {
        text += fmt::format("  pe-gen {} {}\n", command.name, command.arguments);
    }
    text += "\nEncodings\n";
    for (const Encoding* encoding : all_encodings()) {
        text += two_columns(fmt::format("  {}", encoding->name), encoding->summary, name_column);
    }
    text += "\nPresets: an encoding as a public code base has it\n";
    std::string names;
    for (const Preset& preset : all_presets()) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", preset.name);
    }
    text += paragraph(names, 2);
    text += "\nCommands\n";
    for (const Command& command : all_commands()) {
        text += two_columns(fmt::format("  {}", command.name), command.summary, name_column);
    }
    text += "\nOutputs\n";
    for (const Format* format : all_formats()) {
        text += two_columns(fmt::format("  --{}{}", format->name, format->is_shown ? "" : " FILE"),
                            format->summary, name_column);
    }
    text += two_columns("  --emit LANGUAGE", "a small table as source for a test", name_column);
    text += examples_help({"sinusoid --d 128 --len 400 --png out.png",
                           "whisper --d 384 --len 1500 --npy whisper.npy", "describe fairseq"});
    return text + "\npe-gen NAME --help tells more.\n";
}

std::string command_help(std::string_view name, const std::vector<OptionGroup>& options,
                         const std::vector<std::string>& examples) {
    const Command& command = *std::ranges::find(all_commands(), name, &Command::name);
    return usage_help(name, command.summary, command.arguments, options, examples);
}

std::string usage_help(std::string_view name, std::string_view summary, std::string_view arguments,
                       const std::vector<OptionGroup>& options,
                       const std::vector<std::string>& examples) {
    std::string text =
        fmt::format("{}: {}\n\nUsage\n  pe-gen {} {}\n", name, summary, name, arguments);
    for (const OptionGroup& group : options) text += group_help(group);
    return text + examples_help(examples);
}

std::string subject_help(const Subject& subject) {
    std::string text = title(subject);
    if (subject.preset) text += fmt::format("\n{}", paragraph(equivalence(*subject.preset), 2));
    text += fmt::format("\nUsage\n  pe-gen {} [options]\n", subject.name());
    text += parameters_help(subject);
    for (const OptionGroup& group : option_groups(subject)) text += group_help(group);
    return text + tables_help(*subject.encoding) + examples_help(examples_of(subject));
}

std::string description(const Subject& subject) {
    const Encoding& encoding = *subject.encoding;
    std::string text = title(subject);
    if (subject.preset) text += preset_description(*subject.preset);
    text += "\nFormula\n";
    if (encoding.formula_of) {
        text += paragraph(encoding.formula_of(subject.defaults()), 2) + "  in general\n";
    }
    text += paragraph(encoding.formula, encoding.formula_of ? 4 : 2);
    if (!subject.preset) text += fmt::format("\nSource\n{}", paragraph(encoding.source, 2));
    text += parameters_help(subject) + tables_help(encoding);
    if (!subject.preset) text += presets_of(encoding);
    return text + examples_help(examples_of(subject));
}

}  // namespace pegen::cli

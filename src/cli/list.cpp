#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/text_layout.h"
#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"
#include "figure/colormap.h"
#include "figure/plot.h"
#include "formats/registry.h"
#include "formats/source.h"

namespace pegen::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t name_column = 26;

std::string heading_and_rows(std::string_view heading, const auto& things) {
    std::string text = fmt::format("{}\n", heading);
    for (const auto& thing : things) {
        text += two_columns(fmt::format("  {}", thing->name), thing->summary, name_column);
    }
    return text;
}

std::string as_text() {
    std::string text = "Encodings and their presets\n";
    for (const Encoding* encoding : all_encodings()) {
        text += two_columns(fmt::format("  {}", encoding->name), encoding->summary, name_column);
        for (const Preset& preset : all_presets()) {
            if (preset.encoding != encoding) continue;
            text += two_columns(fmt::format("    {}", preset.name), preset.summary, name_column);
        }
    }
    return text + "\n" + heading_and_rows("Mechanisms of attention", all_mechanisms()) + "\n" +
           heading_and_rows("Formats", all_formats()) + "\n" +
           heading_and_rows("Languages, for --emit", all_languages()) + "\n" +
           heading_and_rows("Colormaps", all_colormaps()) + "\n" +
           heading_and_rows("Plots", all_plots());
}

std::string_view type_name(ParameterType type) {
    switch (type) {
        case ParameterType::integer:
            return "integer";
        case ParameterType::real:
            return "real";
        case ParameterType::integers:
            return "integers";
        case ParameterType::reals:
            return "reals";
        case ParameterType::size:
            return "size";
        case ParameterType::word:
            return "word";
        case ParameterType::text:
            return "text";
        case ParameterType::path:
            return "path";
        case ParameterType::flag:
            break;
    }
    return "flag";
}

ordered_json parameters_json(std::span<const ParameterSpec> specs) {
    ordered_json list = ordered_json::array();
    for (const ParameterSpec& spec : specs) {
        ordered_json parameter{{"name", spec.name},
                               {"aliases", words(spec.aliases)},
                               {"type", type_name(spec.type)},
                               {"default", nullptr},
                               {"summary", spec.summary}};
        if (!spec.default_value.empty()) parameter["default"] = spec.default_value;
        if (!spec.choices.empty()) parameter["choices"] = words(spec.choices);
        list.push_back(std::move(parameter));
    }
    return list;
}

ordered_json encodings_json(std::span<const Encoding* const> encodings) {
    ordered_json list = ordered_json::array();
    for (const Encoding* encoding : encodings) {
        ordered_json tables = ordered_json::array();
        for (const TableSpec& table : encoding->tables) {
            tables.push_back({{"name", table.name}, {"summary", table.summary}});
        }
        list.push_back({{"name", encoding->name},
                        {"summary", encoding->summary},
                        {"formula", encoding->formula},
                        {"source", encoding->source},
                        {"tables", tables},
                        {"parameters", parameters_json(encoding->parameters)}});
    }
    return list;
}

ordered_json presets_json() {
    ordered_json list = ordered_json::array();
    for (const Preset& preset : all_presets()) {
        list.push_back({{"name", preset.name},
                        {"aliases", words(preset.aliases)},
                        {"encoding", preset.encoding->name},
                        {"settings", preset.settings},
                        {"summary", preset.summary},
                        {"source", preset.source},
                        {"note", preset.note}});
    }
    return list;
}

ordered_json formats_json(std::span<const Format* const> formats) {
    ordered_json list = ordered_json::array();
    for (const Format* format : formats) {
        list.push_back({{"name", format->name},
                        {"summary", format->summary},
                        {"extensions", words(format->extensions)},
                        {"parameters", parameters_json(format->parameters())}});
    }
    return list;
}

ordered_json names_json(const auto& things) {
    ordered_json list = ordered_json::array();
    for (const auto& thing : things) {
        list.push_back({{"name", thing->name}, {"summary", thing->summary}});
    }
    return list;
}

}  // namespace

ExitStatus run_list(std::span<const std::string_view> arguments) {
    const Arguments given = parse_arguments(arguments, {&json_option, &help_option});
    if (!given.positionals.empty()) {
        throw UsageError(fmt::format("'{}': list takes no names; see pe-gen describe {}",
                                     given.positionals.front(), given.positionals.front()));
    }
    if (given.has(help_option)) return print(program_help());
    if (!given.has(json_option)) return print(as_text());
    const ordered_json everything{{"encodings", encodings_json(all_encodings())},
                                  {"mechanisms", encodings_json(all_mechanisms())},
                                  {"presets", presets_json()},
                                  {"formats", formats_json(all_formats())},
                                  {"languages", formats_json(all_languages())},
                                  {"colormaps", names_json(all_colormaps())},
                                  {"plots", names_json(all_plots())}};
    return print(everything.dump(2) + "\n");
}

}  // namespace pegen::cli

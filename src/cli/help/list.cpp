#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/help/catalogue.h"
#include "cli/help/help.h"
#include "cli/help/search.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/text_layout.h"
#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "encodings/registry.h"
#include "figure/colormap.h"
#include "figure/plot.h"
#include "files/json_text.h"
#include "formats/registry.h"
#include "formats/source.h"

namespace pegen::cli {
namespace {

constexpr std::size_t name_column = 26;

std::string heading_and_rows(std::string_view heading, const auto& things) {
    std::string text = fmt::format("{}\n", heading);
    for (const auto& thing : things) {
        text += two_columns(fmt::format("  {}", thing->name), thing->summary, name_column,
                            report_width());
    }
    return text;
}

std::string encodings_text() { return heading_and_rows("Encodings", all_encodings()); }

std::string presets_text() {
    std::string text = "Encodings and their presets\n";
    for (const Encoding* encoding : all_encodings()) {
        text += two_columns(fmt::format("  {}", encoding->name), encoding->summary, name_column,
                            report_width());
        for (const Preset& preset : all_presets()) {
            if (preset.encoding != encoding) continue;
            text += two_columns(fmt::format("    {}", preset.name), preset.summary, name_column,
                                report_width());
        }
    }
    return text;
}

std::string models_text() {
    std::string text = "Models and tutorials, and what makes their tables\n";
    for (const Model& model : all_models()) {
        const std::string names = joined(words(model.names), ", ");
        const std::string_view separator = model.note.empty() ? "" : "; ";
        text += two_columns(fmt::format("  {}", model.command),
                            fmt::format("{}{}{}", names, separator, model.note), name_column,
                            report_width());
    }
    return text;
}

Json model_json(const Model& model) {
    return {{"names", words(model.names)}, {"command", model.command}, {"note", model.note}};
}

Json models_json() {
    Json list = Json::array();
    for (const Model& model : all_models()) list.push_back(model_json(model));
    return list;
}

/// A section of `pe-gen list`, such as the encodings.
struct Section {
    std::string_view name;  ///< also the key in JSON
    std::string (*text)();
    Json (*json)();
    bool is_in_whole_text = true;
};

constexpr std::array sections{
    Section{"encodings", encodings_text, [] { return encodings_json(all_encodings()); }, false},
    Section{"presets", presets_text, presets_json},
    Section{"mechanisms",
            [] { return heading_and_rows("Mechanisms of attention", all_mechanisms()); },
            [] { return encodings_json(all_mechanisms()); }},
    Section{"models", models_text, models_json, false},
    Section{"formats", [] { return heading_and_rows("Formats", all_formats()); },
            [] { return formats_json(all_formats()); }},
    Section{"languages", [] { return heading_and_rows("Languages, for --emit", all_languages()); },
            [] { return formats_json(all_languages()); }},
    Section{"colormaps", [] { return heading_and_rows("Colormaps", all_colormaps()); },
            [] { return names_json(all_colormaps()); }},
    Section{"plots", [] { return heading_and_rows("Plots", all_plots()); },
            [] { return names_json(all_plots()); }},
};

const Section& section_named(const std::string& name) {
    const auto found = std::ranges::find(sections, name, &Section::name);
    if (found != sections.end()) return *found;
    std::vector<std::string_view> names;
    for (const Section& section : sections) names.push_back(section.name);
    const bool is_described = find_encoding(name) || find_preset(name);
    throw UsageError(fmt::format("list {}: must be one of {}{}", name, joined(names, ", "),
                                 is_described
                                     ? fmt::format("; or did you mean pe-gen describe {}?", name)
                                     : did_you_mean(name, names)));
}

std::string whole_text() {
    std::string text;
    for (const Section& section : sections) {
        if (!section.is_in_whole_text) continue;
        text += fmt::format("{}{}", text.empty() ? "" : "\n", section.text());
    }
    return text;
}

Json whole_json() {
    Json json = Json::object();
    for (const Section& section : sections) json[std::string(section.name)] = section.json();
    return json;
}

constexpr ParameterSpec search_option{
    .name = "search",
    .type = ParameterType::text,
    .summary =
        "the encodings and presets that have these words in name, summary, source or note, "
        "and what makes the table of a model of this name"};

std::string found_text(const std::vector<Found>& all) {
    std::string text;
    for (const Found& found : all) {
        const std::string_view name = found.preset ? found.preset->name : found.encoding->name;
        const std::string_view summary =
            found.preset ? found.preset->summary : found.encoding->summary;
        text += two_columns(fmt::format("  {}", name), summary, name_column, report_width());
        if (found.where.empty()) continue;
        text += two_columns("", found.where, name_column, report_width());
    }
    return text;
}

Json found_json(const std::vector<Found>& all) {
    Json presets = Json::array(), models = Json::array();
    std::vector<const Encoding*> encodings;
    for (const Found& found : all) {
        if (found.model) {
            models.push_back(model_json(*found.model));
        } else if (found.preset) {
            presets.push_back(preset_json(*found.preset));
        } else if (std::ranges::count(encodings, found.encoding) == 0) {
            encodings.push_back(found.encoding);
        }
    }
    return {{"encodings", encodings_json(encodings)}, {"presets", presets}, {"models", models}};
}

ExitStatus print_found(const std::string& text, bool is_json) {
    const std::vector<Found> all = search_names(text);
    return print(is_json ? indented_json(found_json(all), 2) + "\n" : found_text(all));
}

}  // namespace

Usage list_usage(std::span<const std::string_view>, HelpLength) {
    std::vector<std::string_view> names;
    Operands operands;
    for (const Section& section : sections) {
        names.push_back(section.name);
        operands.words.push_back({section.name, ""});
    }
    Usage usage = command_usage(
        "list", {"list", "list presets", "list formats --json", "list --search diffwave"},
        {{"Options", {&search_option, &json_option}}});
    usage.remark = fmt::format("Lists everything, or one of {}.", joined(names, ", "));
    usage.operands = std::move(operands);
    return usage;
}

ExitStatus run_list(std::span<const std::string_view> arguments) {
    const Arguments given = parse_arguments(arguments, {&search_option, &json_option}, "list");
    if (given.positionals.size() > 1) {
        throw UsageError(
            fmt::format("list: takes one word, not '{}'", joined(given.positionals, " ")));
    }
    const bool is_json = given.has(json_option);
    for (const GivenOption& option : given.options) {
        if (option.spec != &search_option) continue;
        if (!given.positionals.empty()) {
            throw UsageError(
                fmt::format("list --search: looks among encodings, presets and models; "
                            "leave out {}",
                            given.positionals.front()));
        }
        return print_found(option.text, is_json);
    }
    if (given.positionals.empty())
        return print(is_json ? indented_json(whole_json(), 2) + "\n" : whole_text());
    const Section& section = section_named(given.positionals.front());
    return print(is_json ? indented_json(section.json(), 2) + "\n" : section.text());
}

}  // namespace pegen::cli

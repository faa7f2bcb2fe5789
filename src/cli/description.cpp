#include "cli/description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/help.h"
#include "cli/text_layout.h"
#include "core/names.h"
#include "encodings/registry.h"
#include "inspect/neighbours.h"

namespace pegen::cli {
namespace {

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
        if (preset.encoding == &encoding) text += entry(preset.name, preset.summary);
    }
    return text.empty() ? "" : "\nPresets\n" + text;
}

}  // namespace

std::string description(const Subject& subject) {
    const Encoding& encoding = *subject.encoding;
    std::string text = title(subject);
    if (subject.preset) text += preset_description(*subject.preset);
    text += "\nFormula\n" + paragraph(formula_with(encoding, subject.defaults()), 2);
    if (encoding.formula_of) text += "  in general\n" + paragraph(encoding.formula, 4);
    if (!subject.preset) text += fmt::format("\nSource\n{}", paragraph(encoding.source, 2));
    text += parameters_section(subject, HelpLength::full) + tables_section(encoding);
    if (!subject.preset) text += presets_of(encoding);
    return text + examples_section(examples_of(subject));
}

}  // namespace pegen::cli

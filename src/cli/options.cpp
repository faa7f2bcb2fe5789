#include "cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/names.h"
#include "formats/registry.h"
#include "formats/source.h"

namespace pegen::cli {
namespace {

/// Returns the names of the languages that --emit takes, separated by spaces.
std::string language_words() {
    std::string names;
    for (const Format* language : all_languages()) names += fmt::format("{} ", language->name);
    return names;
}

std::vector<ParameterSpec> make_output_options() {
    std::vector<ParameterSpec> options{
        {.name = "output",
         .aliases = "o",
         .type = ParameterType::path,
         .summary = "write FILE in the format given by its extension; FILE.npz:NAME is the "
                    "first table, called NAME, FILE.npz:NAME.{table} all; safetensors likewise"}};
    for (const Format* format : all_formats()) {
        options.push_back({.name = format->name,
                           .type = format->is_shown ? ParameterType::flag : ParameterType::path,
                           .summary = format->summary});
    }
    static const std::string languages = language_words();
    options.push_back({.name = "emit",
                       .type = ParameterType::word,
                       .choices = languages,
                       .summary = "print a small table as source code, for a test; with -o FILE, "
                                  "write it"});
    return options;
}

}  // namespace

bool is_among(std::span<const ParameterSpec> specs, const ParameterSpec* spec) {
    return spec >= specs.data() && spec < specs.data() + specs.size();
}

bool is_called(const ParameterSpec& spec, std::string_view name) {
    const bool may_be_alias = name.size() > 1;
    return spec.name == name || (may_be_alias && has_word(spec.aliases, name));
}

Sync sync_of(const Parameters& parameters) {
    const bool waits = parameters.flag("sync"), never_waits = parameters.flag("no-sync");
    if (waits && never_waits) {
        throw UsageError("--sync: does not go together with --no-sync; leave one out");
    }
    return waits ? Sync::all : never_waits ? Sync::none : Sync::replacing;
}

const ParameterSpec* find_option(std::span<const ParameterSpec> specs, std::string_view name) {
    const auto found = std::ranges::find_if(
        specs, [&](const ParameterSpec& spec) { return is_called(spec, name); });
    return found == specs.end() ? nullptr : &*found;
}

const ParameterSpec* find_option(const std::vector<const ParameterSpec*>& specs,
                                 std::string_view name) {
    const auto found = std::ranges::find_if(
        specs, [&](const ParameterSpec* spec) { return is_called(*spec, name); });
    return found == specs.end() ? nullptr : *found;
}

std::string_view letter_of(const ParameterSpec& spec) {
    for (const std::string_view alias : words(spec.aliases)) {
        if (alias.size() == 1) return alias;
    }
    return "";
}

std::vector<std::string> option_names(const ParameterSpec& spec) {
    std::vector<std::string> names{fmt::format("--{}", spec.name)};
    for (const std::string_view alias : words(spec.aliases)) {
        names.push_back(fmt::format("{}{}", alias.size() > 1 ? "--" : "-", alias));
    }
    return names;
}

std::span<const ParameterSpec> table_options() {
    static constexpr std::array options{
        ParameterSpec{
            .name = "table",
            .type = ParameterType::text,
            .summary = "the tables to make: one, several (a,b) or all [the first; all for --npz "
                       "and --safetensors]; {table} in a file name is the table's name; a figure "
                       "without it has a panel for each"},
        ParameterSpec{.name = "dtype",
                      .type = ParameterType::word,
                      .choices = dtype_words,
                      .summary = "type of the values [float32; int64 for tables of integers, "
                                 "float64 for attention]"},
    };
    return options;
}

std::span<const ParameterSpec> output_options() {
    static const std::vector<ParameterSpec> options = make_output_options();
    return options;
}

OptionGroup option_group(std::string_view title, std::span<const ParameterSpec> specs,
                         bool is_in_brief_help) {
    OptionGroup group{title, {}, is_in_brief_help};
    for (const ParameterSpec& spec : specs) group.specs.push_back(&spec);
    return group;
}

std::vector<const ParameterSpec*> options_in(const std::vector<OptionGroup>& groups) {
    std::vector<const ParameterSpec*> specs;
    for (const OptionGroup& group : groups) {
        specs.insert(specs.end(), group.specs.begin(), group.specs.end());
    }
    return specs;
}

std::vector<OptionGroup> common_option_groups() {
    std::vector<OptionGroup> groups{option_group("Table", table_options()),
                                    option_group("Outputs", output_options())};
    std::vector<const ParameterSpec*> shown;
    for (const Format* format : all_formats()) {
        const std::span<const ParameterSpec> specs = format->parameters();
        // Formats may share their options, which are shown only once.
        if (specs.empty() || std::ranges::find(shown, specs.data()) != shown.end()) continue;
        shown.push_back(specs.data());
        groups.push_back(option_group(format->options_title, specs, false));
    }
    groups.push_back(option_group("Running", run_options, false));
    return groups;
}

}  // namespace pegen::cli

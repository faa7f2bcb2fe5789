#include "cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/names.h"
#include "formats/registry.h"
#include "formats/source.h"

namespace pegen::cli {
namespace {

/// The names of the languages that --emit takes.
std::string language_words() {
    std::string names;
    for (const Format* language : all_languages()) names += fmt::format("{} ", language->name);
    return names;
}

std::vector<ParameterSpec> make_output_options() {
    std::vector<ParameterSpec> options{{.name = "output",
                                        .aliases = "o",
                                        .type = ParameterType::path,
                                        .summary = "write a file of the format its name ends in"}};
    for (const Format* format : all_formats()) {
        options.push_back({.name = format->name,
                           .type = format->is_shown ? ParameterType::flag : ParameterType::path,
                           .summary = format->summary});
    }
    static const std::string languages = language_words();
    options.push_back({.name = "emit",
                       .type = ParameterType::word,
                       .choices = languages,
                       .summary = "print a small table as source for a test, or write it to an -o "
                                  "FILE of that language"});
    return options;
}

OptionGroup group(std::string_view title, std::span<const ParameterSpec> specs) {
    OptionGroup result{title, {}};
    for (const ParameterSpec& spec : specs) result.specs.push_back(&spec);
    return result;
}

}  // namespace

bool is_among(std::span<const ParameterSpec> specs, const ParameterSpec* spec) {
    return spec >= specs.data() && spec < specs.data() + specs.size();
}

bool is_called(const ParameterSpec& spec, std::string_view name) {
    return spec.name == name || std::ranges::count(words(spec.aliases), name) > 0;
}

std::span<const ParameterSpec> table_options() {
    static constexpr std::array options{
        ParameterSpec{.name = "table",
                      .type = ParameterType::text,
                      .summary = "one of the tables below, several (a,b), or all; unless given, "
                                 "the first, but all in --npz and --safetensors. Of several, "
                                 "{table} in the name of a file is the name"},
        ParameterSpec{.name = "dtype",
                      .type = ParameterType::word,
                      .choices = dtype_words,
                      .summary = "the type of the values; float32 unless given, int64 for tables "
                                 "of integers, float64 for those of attention"},
    };
    return options;
}

std::span<const ParameterSpec> output_options() {
    static const std::vector<ParameterSpec> options = make_output_options();
    return options;
}

std::vector<OptionGroup> common_option_groups() {
    std::vector<OptionGroup> groups{group("Table", table_options()),
                                    group("Outputs", output_options())};
    std::vector<const ParameterSpec*> shown;
    for (const Format* format : all_formats()) {
        const std::span<const ParameterSpec> specs = format->parameters();
        // Formats may share their options.
        if (specs.empty() || std::ranges::find(shown, specs.data()) != shown.end()) continue;
        shown.push_back(specs.data());
        groups.push_back(group(format->options_title, specs));
    }
    groups.push_back(group("Running", run_options));
    return groups;
}

}  // namespace pegen::cli

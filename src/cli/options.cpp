#include "cli/options.h"

#include "pegen/formats/registry.h"

namespace pegen::cli {
namespace {

std::vector<ParameterSpec> make_output_options() {
    std::vector<ParameterSpec> options{{.name = "output",
                                        .aliases = "o",
                                        .type = ParameterType::text,
                                        .summary = "write a file of the format its name ends in"}};
    for (const Format* format : all_formats()) {
        options.push_back(
            {.name = format->name, .type = ParameterType::text, .summary = format->summary});
    }
    return options;
}

OptionGroup group(std::string_view title, std::span<const ParameterSpec> specs) {
    OptionGroup result{title, {}};
    for (const ParameterSpec& spec : specs) result.specs.push_back(&spec);
    return result;
}

}  // namespace

std::span<const ParameterSpec> output_options() {
    static const std::vector<ParameterSpec> options = make_output_options();
    return options;
}

std::vector<OptionGroup> common_option_groups() {
    std::vector<OptionGroup> groups{group("Table", table_options),
                                    group("Outputs", output_options())};
    for (const Format* format : all_formats()) {
        if (!format->parameters.empty()) {
            groups.push_back(group(format->options_title, format->parameters));
        }
    }
    groups.push_back(group("Running", run_options));
    return groups;
}

}  // namespace pegen::cli

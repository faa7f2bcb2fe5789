#include <algorithm>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/describe_config.h"
#include "cli/description.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/subject.h"
#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"

namespace pegen::cli {

namespace {

/// The encoding that reads a model's configuration.
const Encoding& configurable() {
    return **std::ranges::find_if(all_encodings(), [](const Encoding* encoding) {
        return encoding->describe_config != nullptr;
    });
}

const ParameterSpec& config_option() {
    return *std::ranges::find(configurable().parameters, "config", &ParameterSpec::name);
}

}  // namespace

Usage describe_usage(std::span<const std::string_view>, HelpLength) {
    return command_usage("describe", {"describe fairseq", "describe --config config.json"},
                         {{"Options", {&config_option()}}}, {.are_names = true});
}

ExitStatus run_describe(std::span<const std::string_view> arguments) {
    const Encoding& encoding = configurable();
    std::vector<const ParameterSpec*> options;
    for (const ParameterSpec& spec : encoding.parameters) options.push_back(&spec);
    const Arguments given = parse_arguments(arguments, options, "describe");
    const std::vector<std::string_view> names(given.positionals.begin(), given.positionals.end());
    if (given.has(config_option()) && names.empty()) {
        const Parameters parameters = with_options(Parameters(encoding.parameters), given.options);
        return print(config_description(encoding, parameters));
    }
    const bool has_name = !names.empty() && given.options.empty();
    if (!has_name || !named_arguments(names).rest.empty()) {
        throw UsageError(
            "describe: needs one name, as in pe-gen describe sinusoid, or --config config.json");
    }
    return print(description(named_arguments(names).subject));
}

}  // namespace pegen::cli

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/describe_config.h"
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

bool is_config(const ParameterSpec& spec) { return spec.name == "config"; }

}  // namespace

ExitStatus run_describe(std::span<const std::string_view> arguments) {
    const Encoding& encoding = configurable();
    std::vector<const ParameterSpec*> options;
    for (const ParameterSpec& spec : encoding.parameters) options.push_back(&spec);
    const ParameterSpec& config = *std::ranges::find_if(encoding.parameters, is_config);
    options.push_back(&help_option);
    const Arguments given = parse_arguments(arguments, options);
    if (given.has(help_option)) {
        return print(command_help("describe", {{"Options", {&config, &help_option}}},
                                  {"describe fairseq", "describe --config config.json"}));
    }
    const std::vector<std::string_view> names(given.positionals.begin(), given.positionals.end());
    if (given.has(config) && names.empty()) {
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

ExitStatus run_help(std::span<const std::string_view> arguments) {
    const Arguments given = parse_arguments(arguments, {&help_option});
    if (given.positionals.empty()) return print(program_help());
    const std::vector<std::string_view> names(given.positionals.begin(), given.positionals.end());
    const std::string_view name = names.front();
    const auto command = std::ranges::find(all_commands(), hyphenated(name), &Command::name);
    if (command != all_commands().end() && names.size() == 1) {
        return command->run(std::array<std::string_view, 1>{"--help"});
    }
    const NamedArguments named = named_arguments(names);
    if (!named.rest.empty()) throw UsageError("help: needs at most one name");
    return print(subject_help(named.subject));
}

}  // namespace pegen::cli

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
#include "encodings/rotary/model_config.h"

namespace pegen::cli {

namespace {

constexpr std::array config_options{
    summarized(encodings::config_parameter,
               "describe the rotary positions of a model's config.json or params.json"),
    encodings::layer_type_parameter};

std::vector<const ParameterSpec*> describe_options() {
    return {&config_options[0], &config_options[1], &help_option};
}

std::string described_config(const Parameters& options) {
    return config_description(options.word("config"),
                              options.has("layer-type") ? options.word("layer-type") : "");
}

}  // namespace

ExitStatus run_describe(std::span<const std::string_view> arguments) {
    const Arguments given = parse_arguments(arguments, describe_options());
    if (given.has(help_option)) {
        return print(command_help("describe", {{"Options", describe_options()}},
                                  {"describe fairseq", "describe --config config.json"}));
    }
    const Parameters options = with_options(Parameters(config_options), given.options);
    const bool has_config = options.has("config");
    if (has_config && given.positionals.empty()) return print(described_config(options));
    if (given.positionals.size() != 1 || has_config || options.has("layer-type")) {
        throw UsageError(
            "describe: needs one name, as in pe-gen describe sinusoid, or --config config.json");
    }
    return print(description(find_subject(given.positionals.front())));
}

ExitStatus run_help(std::span<const std::string_view> arguments) {
    const Arguments given = parse_arguments(arguments, {&help_option});
    if (given.positionals.empty()) return print(program_help());
    if (given.positionals.size() > 1) throw UsageError("help: needs at most one name");
    const std::string& name = given.positionals.front();
    const auto command = std::ranges::find(all_commands(), hyphenated(name), &Command::name);
    if (command != all_commands().end()) {
        return command->run(std::array<std::string_view, 1>{"--help"});
    }
    return print(subject_help(find_subject(name)));
}

}  // namespace pegen::cli

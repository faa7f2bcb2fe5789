#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/request.h"
#include "cli/run.h"
#include "encodings/registry.h"

namespace pegen::cli {

std::string plot_help(std::span<const std::string_view>, HelpLength length) {
    return subject_help({&array_of_file(), nullptr}, length);
}

ExitStatus run_plot(std::span<const std::string_view> arguments) {
    const Subject subject{&array_of_file(), nullptr};
    std::vector<std::string_view> words(arguments.begin(), arguments.end());
    const Arguments given = parse_arguments(arguments, options_of(subject), "plot");
    const bool is_written = std::ranges::any_of(given.options, [](const GivenOption& option) {
        return is_among(output_options(), option.spec);
    });
    const bool is_quiet = run_settings(given.options).verbosity == Verbosity::quiet;
    if (!is_written && !is_quiet) words.push_back("--show");
    return run_subject(subject, words);
}

}  // namespace pegen::cli

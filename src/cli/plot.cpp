#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/request.h"
#include "cli/run.h"
#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"

namespace pegen::cli {

std::string plot_help(std::span<const std::string_view>, HelpLength length) {
    return subject_help({&array_of_file(), nullptr}, length);
}

namespace {

/// Throws: UsageError for an encoding in the place of a file.
void refuse_names(const Arguments& given) {
    for (const std::string& word : given.positionals) {
        const std::string name = hyphenated(word);
        if (!find_encoding(name) && !find_preset(name)) continue;
        std::error_code error;  // a file that cannot be examined is refused when it is opened
        if (std::filesystem::exists(word, error)) continue;
        throw UsageError(fmt::format(
            "plot: there is no file '{0}'; pe-gen {0} --png out.png draws the encoding", word));
    }
}

}  // namespace

ExitStatus run_plot(std::span<const std::string_view> arguments) {
    const Subject subject{&array_of_file(), nullptr};
    std::vector<std::string_view> words(arguments.begin(), arguments.end());
    const Arguments given = parse_arguments(arguments, options_of(subject), "plot");
    refuse_names(given);
    const bool is_written = std::ranges::any_of(given.options, [](const GivenOption& option) {
        return is_among(output_options(), option.spec);
    });
    const bool is_quiet = run_settings(given.options).verbosity == Verbosity::quiet;
    if (!is_written && !is_quiet) words.push_back("--show");
    return run_subject(subject, words);
}

}  // namespace pegen::cli

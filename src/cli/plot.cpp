#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "cli/commands.h"
#include "cli/help/help.h"
#include "cli/options.h"
#include "cli/request.h"
#include "cli/run.h"
#include "cli/subject.h"
#include "core/error.h"
#include "encodings/registry.h"

namespace pegen::cli {

Usage plot_usage(std::span<const std::string_view>, HelpLength length) {
    return subject_usage({&array_of_file(), nullptr}, length);
}

namespace {

/// Throws: UsageError if an encoding is in the place of a file.
void refuse_names(const Arguments& given) {
    for (const std::string& word : given.positionals) {
        if (!names_encoding(word)) continue;
        throw UsageError(fmt::format(
            "plot: there is no file '{0}'; pe-gen {0} --png out.png draws the encoding", word));
    }
}

}  // namespace

ExitStatus run_plot(std::span<const std::string_view> arguments) {
    const Subject subject{&array_of_file(), nullptr};
    Arguments given = parse_arguments(arguments, options_of(subject), "plot");
    refuse_names(given);
    const bool is_written = std::ranges::any_of(given.options, [](const GivenOption& option) {
        return is_among(output_options(), option.spec);
    });
    const bool is_quiet = run_settings(given.options).verbosity == Verbosity::quiet;
    if (!is_written && !is_quiet) {
        given.options.push_back({find_option(options_of(subject), "show"), "true"});
    }
    return run_subject(subject, std::move(given));
}

}  // namespace pegen::cli

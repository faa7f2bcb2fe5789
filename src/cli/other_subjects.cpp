#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/help/help.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/request.h"
#include "cli/run.h"
#include "cli/subject.h"
#include "cli/table_command.h"
#include "cli/text_layout.h"
#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"

namespace pegen::cli {
namespace {

Usage mechanisms_usage() {
    std::vector<std::string> examples;
    for (const Encoding* mechanism : all_mechanisms()) {
        examples.emplace_back(words(mechanism->examples, '\n').front());
    }
    Operands operands{.title = "Mechanisms"};
    for (const Encoding* mechanism : all_mechanisms()) {
        const std::string_view name = mechanism->name.substr(mechanism->name.find(' ') + 1);
        operands.words.push_back({name, mechanism->summary});
    }
    Usage usage = command_usage("attention", examples, {}, std::move(operands));
    usage.remark = "pe-gen attention MECHANISM --help has its parameters.";
    return usage;
}

}  // namespace

Usage attention_usage(std::span<const std::string_view> names, HelpLength length) {
    if (names.empty()) return mechanisms_usage();
    return subject_usage(find_mechanism(names.front()), length);
}

ExitStatus run_attention(std::span<const std::string_view> arguments) {
    if (arguments.empty()) return print(usage_help(mechanisms_usage(), HelpLength::full));
    return run_subject(find_mechanism(arguments.front()), arguments.subspan(1));
}

Usage concat_usage(std::span<const std::string_view>, HelpLength length) {
    return subject_usage({&concatenation(), nullptr}, length);
}

ExitStatus run_concat(std::span<const std::string_view> arguments) {
    std::vector<std::string_view> words{concatenation().name};
    words.insert(words.end(), arguments.begin(), arguments.end());
    TableCommand command = table_command(words);
    return run_subject(command.subject, std::move(command.given));
}

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

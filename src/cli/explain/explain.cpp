#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/explain/report.h"
#include "cli/help/help.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/request.h"
#include "cli/subject.h"
#include "core/error.h"
#include "core/names.h"
#include "numerics/self_test.h"

namespace pegen::cli {
namespace {

constexpr std::array own_options{
    ParameterSpec{.name = "at",
                  .type = ParameterType::integers,
                  .range = any_index,
                  .summary = "the value to explain: its index along each axis, from 0 on, such as "
                             "7,3; of a grid also Y,X,CHANNEL"},
    summarized(json_option, "print the explanation as one JSON object"),
};

/// Returns the options of `explain`, in the groups of the help. `subject` is the encoding whose
/// table is explained; nullptr leaves out its options.
std::vector<OptionGroup> explain_options(const Subject* subject) {
    std::vector<OptionGroup> groups{option_group("Options", own_options)};
    if (!subject) return groups;
    groups.push_back({"Table", {find_option(table_options(), "table")}});
    groups.push_back(option_group("Parameters", subject->encoding->parameters));
    return groups;
}

/// Splits the arguments of `explain`.
/// Throws: UsageError for an option that only makes a table, such as --npy.
Arguments parse_explain(const Subject& subject, std::span<const std::string_view> arguments) {
    const std::vector<const ParameterSpec*> own = options_in(explain_options(&subject));
    std::vector<const ParameterSpec*> all = own;
    for (const ParameterSpec* spec : options_of(subject)) {
        const bool is_own = std::ranges::any_of(
            own, [&](const ParameterSpec* option) { return option->name == spec->name; });
        if (!is_own) all.push_back(spec);
    }
    Arguments given = parse_arguments(arguments, all, subject.name());
    for (const GivenOption& option : given.options) {
        if (std::ranges::count(own, option.spec) > 0) continue;
        throw UsageError(fmt::format(
            "--{}: is an option of pe-gen {}, not of explain; see pe-gen explain --help",
            option.spec->name, subject.name()));
    }
    return given;
}

/// Returns the names of the table's axes, "position,channel".
std::string axes_text(const Request& request) {
    const TableSpec& spec = *request.tables.front().spec;
    std::vector<std::string> names;
    for (const Axis& axis :
         plan_of(*request.subject.encoding, request.parameters, spec.name).axes) {
        names.push_back(axis.name);
    }
    return joined(names, ",");
}

}  // namespace

Usage explain_usage(std::span<const std::string_view>, HelpLength) {
    Usage usage =
        command_usage("explain",
                      {"explain sinusoid --d 128 --at 7,3", "explain mae --at 2,5,100",
                       "explain rope --len 4096 --table sin --at 4000,70 --json"},
                      explain_options(nullptr), {.are_names = true, .bring_parameters = true});
    usage.remark = "The parameters of a table and --table are those of pe-gen NAME --help.";
    return usage;
}

ExitStatus run_explain(std::span<const std::string_view> arguments) {
    if (arguments.empty() || arguments.front().starts_with('-')) {
        throw UsageError(
            "explain: needs a name first, as in pe-gen explain sinusoid --d 128 --at 7,3");
    }
    const auto [subject, rest] = named_arguments(arguments);
    const Arguments given = parse_explain(subject, rest);
    const Parameters own = set_options(own_options, given.options);
    if (!given.positionals.empty()) {
        throw UsageError(fmt::format("unexpected argument '{}'; explain takes one name",
                                     given.positionals.front()));
    }
    const Request request = make_request(subject, given.options);
    check_effect(request, given.options);
    if (request.tables.size() != 1) {
        throw UsageError("--table: explain takes one table; name one");
    }
    if (!own.has("at")) {
        throw UsageError(
            fmt::format("--at: must say which value to explain: {}", axes_text(request)));
    }
    numerics::self_test();
    const ExplainReport report =
        explain(subject, *request.tables.front().spec, request.parameters, own.integers("at"));
    return print(cli::report(own.flag("json"), "explain", json_of(report), as_text(report)));
}

}  // namespace pegen::cli

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/help/help.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/progress_line.h"
#include "core/error.h"
#include "core/names.h"
#include "core/parallel.h"
#include "inspect/facts.h"

namespace pegen::cli {
namespace {

constexpr ParameterSpec json = summarized(json_option, "the same as one JSON object");

std::string as_text(const std::vector<Fact>& facts) {
    std::string text;
    for (const Fact& fact : facts) {
        if (!fact.text.empty()) text += fmt::format("{:<10}{}\n", fact.name, fact.text);
    }
    return text;
}

std::string as_json(const std::vector<Fact>& facts) {
    std::vector<std::string> members;
    for (const Fact& fact : facts)
        members.push_back(fmt::format("\"{}\":{}", fact.name, fact.json));
    return fmt::format("{{{}}}\n", joined(members, ","));
}

}  // namespace

Usage info_usage(std::span<const std::string_view>, HelpLength) {
    return command_usage("info", {"info table.npy", "info figure.png --json"},
                         {{"Options", {&json}}}, {.are_files = true});
}

ExitStatus run_info(std::span<const std::string_view> arguments) {
    const Arguments given = parse_arguments(arguments, {&json}, "info");
    if (given.positionals.size() != 1) {
        throw UsageError("info: needs one file, as in pe-gen info table.npy; - is standard input");
    }
    ProgressLine line(Verbosity::normal);
    line.begin(fmt::format("info: {}", given.positionals.front()));
    const std::vector<Fact> facts = facts_of(given.positionals.front(), line.progress());
    line.hide();
    return print(given.has(json) ? as_json(facts) : as_text(facts));
}

}  // namespace pegen::cli

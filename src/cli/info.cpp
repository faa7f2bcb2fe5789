#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/help/help.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/progress_line.h"
#include "core/error.h"
#include "core/parallel.h"
#include "files/json_text.h"
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

std::string as_json(const std::vector<Fact>& facts, const std::string& text) {
    // The facts are JSON texts already, with numbers as they are written in the file.
    std::string members = "\"schema\":\"pe-gen/info/1\"";
    for (const Fact& fact : facts) members += fmt::format(",\"{}\":{}", fact.name, fact.json);
    return fmt::format("{{{},\"text\":{}}}\n", members, json_line(text));
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
    const std::string text = as_text(facts);
    return print(given.has(json) ? as_json(facts, text) : text);
}

}  // namespace pegen::cli

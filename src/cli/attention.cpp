#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/print.h"
#include "cli/run.h"
#include "cli/text_layout.h"
#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"

namespace pegen::cli {
namespace {

std::string mechanisms_help() {
    std::vector<std::string> examples;
    for (const Encoding* mechanism : all_mechanisms()) {
        examples.emplace_back(words(mechanism->examples, '\n').front());
    }
    Usage usage = command_usage("attention", examples, {});
    usage.sections = "\nMechanisms\n";
    for (const Encoding* mechanism : all_mechanisms()) {
        usage.sections +=
            entry(mechanism->name.substr(mechanism->name.find(' ') + 1), mechanism->summary);
    }
    usage.sections += "\n" + paragraph("pe-gen attention MECHANISM --help has its parameters.", 2);
    return usage_help(usage, HelpLength::full);
}

}  // namespace

std::string attention_help(std::span<const std::string_view> names, HelpLength length) {
    if (names.empty()) return mechanisms_help();
    return subject_help(find_mechanism(names.front()), length);
}

ExitStatus run_attention(std::span<const std::string_view> arguments) {
    if (arguments.empty()) return print(mechanisms_help());
    return run_subject(find_mechanism(arguments.front()), arguments.subspan(1));
}

}  // namespace pegen::cli

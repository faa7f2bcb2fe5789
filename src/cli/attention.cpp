#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/help/help.h"
#include "cli/print.h"
#include "cli/run.h"
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

}  // namespace pegen::cli

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

constexpr std::size_t name_column = 22;

std::string mechanisms_help() {
    std::vector<std::string> examples;
    for (const Encoding* mechanism : all_mechanisms()) {
        examples.emplace_back(words(mechanism->examples, '\n').front());
    }
    std::string text = command_help("attention", {}, examples) + "\nMechanisms\n";
    for (const Encoding* mechanism : all_mechanisms()) {
        const std::string_view name = mechanism->name.substr(mechanism->name.find(' '));
        text += two_columns(fmt::format(" {}", name), mechanism->summary, name_column);
    }
    return text + "\npe-gen attention MECHANISM --help tells more.\n";
}

}  // namespace

ExitStatus run_attention(std::span<const std::string_view> arguments) {
    if (arguments.empty() || arguments.front() == "--help" || arguments.front() == "-h") {
        return print(mechanisms_help());
    }
    return run_subject(find_mechanism(arguments.front()), arguments.subspan(1));
}

}  // namespace pegen::cli

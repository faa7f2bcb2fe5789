#include "cli/describe_config.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/text_layout.h"

namespace pegen::cli {
namespace {

/// Returns the command that needs no file. What follows from other parameters is left out.
std::string command_of(const Encoding& encoding, const FileDescription& file) {
    std::string command = fmt::format("pe-gen {}", encoding.name);
    for (const Parameters::Entry& entry : file.parameters.entries()) {
        const std::string_view name = entry.spec->name;
        const bool is_needed =
            file.parameters.given(name) ||
            std::ranges::count(file.taken, name, &FileDescription::Taken::parameter) > 0;
        if (!is_needed || is_default(entry)) continue;
        command += entry.spec->type == ParameterType::flag
                       ? fmt::format(" --{}", name)
                       : fmt::format(" --{} {}", name, to_string(entry));
    }
    return command;
}

}  // namespace

std::string config_description(const Encoding& encoding, const Parameters& parameters) {
    constexpr std::size_t source_column = 38;
    const FileDescription file = encoding.describe_config(parameters);
    std::string text = fmt::format("{}\n\nTaken\n", file.title);
    for (const auto& [parameter, source] : file.taken) {
        text += two_columns(fmt::format("  --{}", parameter), source, source_column);
    }
    if (!file.ignored.empty()) {
        text += fmt::format("\nIgnored\n  {}\n", fmt::join(file.ignored, "\n  "));
    }
    text += fmt::format("\nThe same without the file\n  {}\n", command_of(encoding, file));
    for (const auto& [heading, remark] : file.remarks) {
        text += fmt::format("\n{}\n{}", heading, paragraph(remark, 2));
    }
    return text;
}

}  // namespace pegen::cli

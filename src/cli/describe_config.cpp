#include "cli/describe_config.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/text_layout.h"
#include "core/one_line.h"
#include "formats/command.h"
#include "formats/metadata.h"

namespace pegen::cli {

std::string config_description(const Encoding& encoding, const Parameters& parameters) {
    constexpr std::size_t source_column = 38;
    const FileDescription file = encoding.describe_config(parameters);
    std::string text = one_line(file.title) + "\n\nTaken\n";
    for (const auto& [parameter, source] : file.taken) {
        text += two_columns(fmt::format("  --{}", parameter), one_line(source), source_column,
                            report_width());
    }
    if (!file.ignored.empty()) text += "\nIgnored\n";
    for (const std::string& setting : file.ignored) text += "  " + one_line(setting) + "\n";
    const Provenance provenance{std::string(encoding.name), "",
                                std::string(encoding.tables.front().name), file.parameters};
    text += fmt::format("\nThe same without the file\n  {}\n",
                        command_of(file.title, provenance_json(provenance).dump()));
    for (const auto& [heading, remark] : file.remarks) {
        text += fmt::format("\n{}\n{}", heading, paragraph(remark, 2, report_width()));
    }
    return text;
}

}  // namespace pegen::cli

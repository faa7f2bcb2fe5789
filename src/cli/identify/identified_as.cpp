#include "cli/identified_as.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/identify/report.h"
#include "core/names.h"
#include "core/utf8.h"
#include "recognition/identify.h"

namespace pegen::cli {

FileOrigin identified_as(std::string_view file, const Table& table, const Progress& progress) {
    constexpr std::int64_t most_values = std::int64_t{1} << 22;
    if (table.shape.size() == 0 || table.shape.size() > most_values) return {};
    const recognition::Identification answer = recognition::identify(table, progress);
    if (answer.nearest) {
        return {.sentence = fmt::format("{} departs from {}: {}.", one_line(file),
                                        command_text(answer.nearest->command), answer.departure)};
    }
    // A command that needs data files is too long an answer, but for positions, which notes
    // describe.
    const auto is_other = [](const evidence::DataFile& data) {
        return data.parameter != "positions-file";
    };
    if (!answer.found || std::ranges::any_of(answer.found->proposal.data, is_other)) return {};
    const bool is_certain = answer.verdict == recognition::Verdict::identified;
    const std::vector<std::string>& names = answer.found->presets;
    std::string text =
        fmt::format("{} is {}made by {}{}{}", one_line(file), is_certain ? "" : "perhaps ",
                    command_text(answer.found->command), names.empty() ? "" : ", also called ",
                    joined(names, ", "));
    if (!answer.resized.empty()) text += "; resized " + answer.resized;
    for (const std::string& note : answer.found->notes) text += "; " + note;
    return {text + ".", command_text(answer.found->command), answer.found->encoding,
            answer.found->parameters, !answer.resized.empty() || !answer.found->notes.empty()};
}

}  // namespace pegen::cli

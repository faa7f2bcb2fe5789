#include "figure/plots/others.h"

#include <fmt/format.h>

#include <utility>

#include "core/error.h"
#include "core/names.h"
#include "figure/plots/curves.h"

namespace pegen {
namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == text.npos) return "";
    return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

/// Returns the text, shortened to fit into a legend.
std::string shortened(std::string_view text) {
    constexpr std::size_t most = 24;
    return text.size() <= most ? std::string(text) : fmt::format("{}...", text.substr(0, most - 3));
}

}  // namespace

std::vector<NamedTable> with_others(const Table& table, const Parameters& parameters,
                                    std::string_view name) {
    std::vector<NamedTable> all;
    all.push_back({"", table.sibling({.table = name})});
    if (!parameters.has("with")) return all;
    if (!table.other) throw UsageError("--with: a file is drawn alone");
    const std::vector<std::string_view> commands = fields(parameters.word("with"), ';');
    if (commands.size() + 1 > curve_colours.size()) {
        throw UsageError(
            fmt::format("--with: one figure tells at most {} curves apart", curve_colours.size()));
    }
    for (const std::string_view command : commands) {
        const std::size_t colon = command.find(':');
        const std::string_view words =
            trimmed(colon == command.npos ? command : command.substr(colon + 1));
        const std::string_view label = colon == command.npos ? words : command.substr(0, colon);
        all.push_back({shortened(trimmed(label)), table.other(words, name)});
    }
    all.front().name = table.provenance.subject();
    return all;
}

}  // namespace pegen

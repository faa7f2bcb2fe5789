#include "cli/behind_dashes.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "encodings/corruption.h"

namespace pegen::cli {
namespace {

bool is_printed(const RequestedTable& table) {
    return table.targets.size() == 1 && table.targets.front().path == "-" &&
           table.targets.front().format->name == "text";
}

}  // namespace

std::vector<Words> parts_of(Words arguments) {
    std::vector<Words> parts;
    for (;;) {
        const auto end = std::ranges::find(arguments, "--");
        const auto count = static_cast<std::size_t>(end - arguments.begin());
        parts.push_back(arguments.first(count));
        if (end == arguments.end()) return parts;
        arguments = arguments.subspan(count + 1);
    }
}

Request parse_behind_dashes(Words words, std::string_view command, std::string_view example) {
    if (words.empty() || words.front().starts_with('-')) {
        throw UsageError(
            fmt::format("{}: a name must follow '--', as in pe-gen {}", command, example));
    }
    const NamedArguments named = named_arguments(words);
    Request request = parse_request(named.subject, named.rest);
    if (is_corruption(request.corruption)) {
        throw UsageError(
            fmt::format("{}: a table after '--' is as its code makes it; write one with "
                        "noise or other flaws to a file first",
                        command));
    }
    if (request.tables.size() > 1 && all_targets(request).empty()) {
        throw UsageError(
            fmt::format("{}: {}: --table must name one table", command, request.subject.name()));
    }
    const bool only_table = request.run.action == Action::generate && !request.run.threads &&
                            request.run.placing == Placing{} && is_printed(request.tables.front());
    if (!only_table) {
        throw UsageError(fmt::format(
            "{}: only what makes a table may stand after '--'; move all else before it", command));
    }
    return request;
}

}  // namespace pegen::cli

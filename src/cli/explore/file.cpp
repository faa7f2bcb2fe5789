#include <fmt/format.h>

#include <functional>
#include <utility>

#include "cli/explore/asked.h"
#include "cli/explore/bounds.h"
#include "cli/explore/replies.h"
#include "cli/generate.h"
#include "core/error.h"
#include "formats/registry.h"
#include "formats/write.h"

namespace pegen::cli {
namespace {

const Format& format_named(std::string_view name) {
    for (const Format* format : all_formats()) {
        if (format->name == name && !format->is_shown && !format->archive) return *format;
    }
    throw UsageError(fmt::format("{}: is no format of a file of one table", name));
}

}  // namespace

http::Reply file_reply(const http::Request& request) {
    const Format& format = format_named(request.path[1]);
    const Asked asked = asked_for(request.path[2], request.query);
    const bool is_text = !format.is_binary && !format.draw;
    const Table table = table_within(planned_table(asked.request, asked.wanted()),
                                     is_text ? most_values_written : most_values_drawn);
    if (format.draw) check_figure(table, asked.figure());
    const Parameters options = is_figure(format) ? asked.figure() : Parameters(format.parameters());
    http::Reply reply{.type = "application/octet-stream"};
    reply.headers.emplace_back(
        "Content-Disposition",
        fmt::format("attachment; filename=\"{}.{}\"", asked.request.subject.name(), format.name));
    constexpr std::size_t most_at_once = std::size_t{1} << 20;
    std::function<std::string()> next_part = file_parts(table, format, options);
    while (reply.body.size() < most_at_once) {
        const std::string part = next_part();
        if (part.empty()) return reply;
        reply.body += part;
    }
    if (const auto size = file_size(table, format, options)) {
        reply.headers.emplace_back("Content-Length", fmt::format("{}", *size));
    }
    reply.more = std::move(next_part);
    return reply;
}

}  // namespace pegen::cli

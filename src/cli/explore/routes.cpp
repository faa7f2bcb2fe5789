#include "cli/explore/routes.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <utility>

#include "cli/explore/asked.h"
#include "cli/explore/replies.h"
#include "core/error.h"
#include "core/json.h"
#include "core/progress.h"
#include "files/json_text.h"
#include "page/page.h"

namespace pegen::cli {
namespace {

http::Reply reply_of(const page::Page& page) {
    return {.type = "text/html; charset=utf-8",
            .body = page.html,
            .headers = {{"Content-Security-Policy", page.policy}}};
}

http::Reply page_reply(const http::Request&) {
    static const page::Page page = page::explorer();
    return reply_of(page);
}

http::Reply tour_reply(const http::Request&) {
    static const page::Page page = page::tour();
    return reply_of(page);
}

/// A kind of request: the first part of its path, the number of parts, and the function that
/// replies.
struct Route {
    std::string_view name;
    std::size_t parts;
    http::Reply (*reply)(const http::Request&);
    bool takes_file = false;  ///< a file may be sent as the body of a POST
};

constexpr std::array routes{
    Route{"", 0, page_reply},
    Route{"tour.html", 1, tour_reply},
    Route{"specs", 1, specs_reply},
    Route{"about", 2, about_reply},
    Route{"draw", 2, draw_reply, true},
    Route{"arrays", 1, arrays_reply, true},
    Route{"identify", 1, identify_reply, true},
    Route{"cell", 2, cell_reply, true},
    Route{"curves", 2, curves_reply, true},
    Route{"values", 2, values_reply},
    Route{"file", 3, file_reply},
};

const Route* route_of(const http::Request& request) {
    const std::string name = request.path.empty() ? "" : request.path.front();
    const auto found = std::ranges::find_if(routes, [&](const Route& route) {
        return route.name == name && route.parts == request.path.size();
    });
    return found == routes.end() ? nullptr : &*found;
}

/// Returns the option that a message is about: the option's name at the beginning of messages such
/// as "--odd: ..." and "--d 7: ..."; null for other messages.
Json option_of(std::string_view message) {
    if (!message.starts_with("--")) return nullptr;
    const std::string_view name = message.substr(2, message.find_first_of(" :,=") - 2);
    return name;
}

/// Returns a function that calls `more`. It throws GivenUp once nobody waits any more, or when all
/// its calls together have taken the time `left`.
std::function<std::string()> patient(std::function<std::string()> more, http::IsGivenUp is_given_up,
                                     std::chrono::steady_clock::duration left) {
    return [more = std::move(more), is_given_up = std::move(is_given_up), left]() mutable {
        const auto begin = std::chrono::steady_clock::now();
        const Progress given_up = patience(is_given_up, begin + left);
        const Reporting reporting(given_up);
        report(0, 0);
        std::string part = more();
        left -= std::chrono::steady_clock::now() - begin;
        return part;
    };
}

http::Reply error_reply(int status, std::string_view message) {
    return json_reply({{"message", message}, {"option", option_of(message)}}, status);
}

}  // namespace

http::Reply json_reply(const Json& json, int status) {
    return {.status = status, .type = "application/json", .body = utf8_json_line(json)};
}

http::Reply framed_reply(const Json& head, std::vector<std::string> parts) {
    http::Reply reply = json_reply(head);
    reply.type = "application/octet-stream";
    reply.body += '\n';
    std::size_t size = reply.body.size();
    for (const std::string& part : parts) size += part.size();
    reply.body.reserve(size);
    for (std::string& part : parts) reply.body += std::exchange(part, {});
    return reply;
}

http::Reply answer(const http::Request& request) {
    const Route* const route = route_of(request);
    if (!route) return error_reply(404, "there is nothing at this address");
    if (request.is_post != (request.is_post && route->takes_file)) {
        return error_reply(405, "takes no file: use GET");
    }
    const auto end = request.arrival + longest_work;
    const Progress given_up = patience(request.is_given_up, end);
    const Reporting reporting(given_up);
    try {
        report(0, 0);
        http::Reply reply = route->reply(request);
        if (reply.more) {
            reply.more = patient(std::move(reply.more), request.is_given_up,
                                 end - std::chrono::steady_clock::now());
        }
        return reply;
    } catch (const UsageError& error) {
        return error_reply(400, error.what());
    } catch (const FormatError& error) {
        return error_reply(400, error.what());
    } catch (const FileError& error) {
        return error_reply(400, error.what());
    } catch (const GivenUp& error) {
        return error_reply(503, error.what());
    }
}

}  // namespace pegen::cli

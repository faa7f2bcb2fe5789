#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pegen::http {

/// A name and a value: of a header or of a query.
using Field = std::pair<std::string, std::string>;

/// A function that returns true once nobody waits for the reply any more. It is cheap; any thread
/// may call it.
using IsGivenUp = std::function<bool()>;

/// A request for one of our own pages, decoded.
struct Request {
    bool is_post = false;             ///< else GET
    std::vector<std::string> path{};  ///< the parts between the slashes; none for "/"
    std::vector<Field> query{};       ///< in the order of the target
    std::string body{};
    IsGivenUp is_given_up = [] { return false; };
    /// The time when the request was read; it may then have waited for a thread.
    std::chrono::steady_clock::time_point arrival = std::chrono::steady_clock::now();
};

struct Reply {
    int status = 200;
    std::string type{};  ///< type of the content: "application/json"
    std::string body{};
    std::vector<Field> headers{};  ///< replace or extend the headers that every reply has
    /// Returns the next bytes after the body, or "" after the last. Called by any thread, once the
    /// client has taken the bytes before. If it throws, the connection is closed, so that the
    /// client sees that the content is incomplete. Empty if nothing follows the body.
    std::function<std::string()> more{};
};

/// A function that makes the reply to a request. It is called from several threads at once.
/// Throws: any exception; the client then gets status 500.
using Handler = std::function<Reply(const Request&)>;

/// Returns the handler's reply; if the handler throws, a reply that says so, with status 503 for a
/// lack of memory, else 500.
Reply reply_of(const Handler& handler, const Request& request);

/// Returns a reply with a message as JSON: {"message": "...", "option": null}.
Reply error_reply(int status, std::string_view message);

}  // namespace pegen::http

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

/// Returns true once nobody waits for the reply any more. Cheap; any thread may call it.
using IsGivenUp = std::function<bool()>;

/// A request for one of our own pages, decoded.
struct Request {
    bool is_post = false;             ///< else GET
    std::vector<std::string> path{};  ///< the parts between the slashes; none for "/"
    std::vector<Field> query{};       ///< in their order
    std::string body{};
    IsGivenUp is_given_up = [] { return false; };
    /// When it was read; it may then have waited for a thread.
    std::chrono::steady_clock::time_point arrival = std::chrono::steady_clock::now();
};

struct Reply {
    int status = 200;
    std::string type{};  ///< of the content: "application/json"
    std::string body{};
    std::vector<Field> headers{};  ///< further ones; they replace those that every reply has
    /// Returns the next bytes behind the body, or "" behind the last. Called once the client has
    /// taken what came before, by any thread. If it throws, the connection is closed, so that the
    /// client sees that the content is incomplete. Empty: there is nothing behind the body.
    std::function<std::string()> more{};
};

/// Makes the reply to a request. Called from several threads at once.
/// Throws: what it likes; the client then gets status 500.
using Handler = std::function<Reply(const Request&)>;

/// Returns a reply with a message as JSON: {"message": "...", "option": null}.
Reply error_reply(int status, std::string_view message);

}  // namespace pegen::http

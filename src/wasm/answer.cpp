#include <emscripten.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "cli/explore/replies.h"
#include "core/json.h"
#include "files/json_text.h"
#include "http/guard.h"
#include "page/page.h"

// What worker.js calls in place of asking a server.

/// A reply, whose content is in `part`, and then, part by part, in what posenc_more() puts there.
struct posenc_reply {
    pegen::http::Reply reply;
    std::string head;  ///< JSON: {"status": 200, "headers": [["Content-Type", "image/png"], ...]}
};

namespace {

using namespace pegen;

http::Reply reply_to(bool is_post, const char* target, std::string body) {
    std::optional<http::Request> request = http::parsed_target(target);
    if (!request) return http::error_reply(400, "the address is malformed");
    request->is_post = is_post;
    request->body = std::move(body);
    return http::reply_of(cli::answer, *request);
}

}  // namespace

extern "C" {

/// Returns a page, for write-page.mjs: the explorer or the tour.
EMSCRIPTEN_KEEPALIVE const char* posenc_page(bool is_tour) {
    static std::string page;
    page = is_tour ? page::tour_with_own_program() : page::explorer_with_own_program();
    return page.c_str();
}

/// Answers a request, as the server of `pe-gen explore` does. posenc_free() frees the reply.
EMSCRIPTEN_KEEPALIVE posenc_reply* posenc_answer(bool is_post, const char* target, const char* body,
                                                 std::size_t size) {
    auto made = std::make_unique<posenc_reply>(reply_to(is_post, target, {body, size}));
    Json headers = Json::array();
    headers.push_back({"Content-Type", made->reply.type});
    for (const auto& [name, value] : made->reply.headers) headers.push_back({name, value});
    made->head = utf8_json_line({{"status", made->reply.status}, {"headers", headers}});
    return made.release();
}

EMSCRIPTEN_KEEPALIVE const char* posenc_head(const posenc_reply* reply) {
    return reply->head.c_str();
}

EMSCRIPTEN_KEEPALIVE const char* posenc_part(const posenc_reply* reply) {
    return reply->reply.body.data();
}

EMSCRIPTEN_KEEPALIVE std::size_t posenc_part_size(const posenc_reply* reply) {
    return reply->reply.body.size();
}

/// Replaces the part by the next one. Returns 1; 0 after the last; -1 if it cannot be made, so that
/// the content is incomplete.
EMSCRIPTEN_KEEPALIVE int posenc_more(posenc_reply* reply) {
    try {
        reply->reply.body = reply->reply.more ? reply->reply.more() : std::string();
        return reply->reply.body.empty() ? 0 : 1;
    } catch (const std::exception&) {
        return -1;
    }
}

EMSCRIPTEN_KEEPALIVE void posenc_free(posenc_reply* reply) { delete reply; }

}  // extern "C"

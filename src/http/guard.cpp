#include "http/guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/utf8.h"

namespace pegen::http {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool is_same_name(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, lower, lower);
}

/// Returns the values of all headers of this name.
std::vector<std::string_view> values_of(std::span<const Field> headers, std::string_view name) {
    std::vector<std::string_view> values;
    for (const auto& [header, value] : headers) {
        if (is_same_name(header, name)) values.push_back(value);
    }
    return values;
}

constexpr std::array own_hosts{"127.0.0.1", "localhost", "[::1]"};

bool is_own_host(std::string_view host, int port) {
    return std::ranges::any_of(own_hosts, [&](std::string_view own) {
        return is_same_name(host, fmt::format("{}:{}", own, port)) ||
               (port == 80 && is_same_name(host, own));
    });
}

/// True unless a browser says that the request was not made by our own page.
bool is_of_own_page(std::span<const Field> headers) {
    const std::vector<std::string_view> sites = values_of(headers, "Sec-Fetch-Site");
    return std::ranges::all_of(sites, [](std::string_view site) { return site == "same-origin"; });
}

bool opens_page(const Envelope& envelope) {
    const std::vector<std::string_view> modes = values_of(envelope.headers, "Sec-Fetch-Mode");
    const std::string_view target = envelope.target;
    const bool is_page =
        target == "/" || (target.ends_with(".html") && target.find('?') == target.npos);
    return envelope.method == "GET" && is_page && modes.size() == 1 && modes.front() == "navigate";
}

std::optional<int> digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c = lower(c);
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return std::nullopt;
}

/// Returns the text with its percent escapes decoded.
std::optional<std::string> decoded(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            result += text[i];
        } else {
            const auto high = i + 2 < text.size() ? digit(text[i + 1]) : std::nullopt;
            const auto low = i + 2 < text.size() ? digit(text[i + 2]) : std::nullopt;
            if (!high || !low) return std::nullopt;
            result += static_cast<char>(*high * 16 + *low);
            i += 2;
        }
    }
    try {
        const std::vector<Character> characters = decode_utf8(result);
        if (std::ranges::any_of(characters, is_control, &Character::code)) return std::nullopt;
    } catch (const UsageError&) {
        return std::nullopt;
    }
    return result;
}

/// Calls take(part) for each part of the text between the separators, until it returns false.
bool for_each_part(std::string_view text, char separator, auto take) {
    while (true) {
        const std::size_t end = std::min(text.find(separator), text.size());
        if (!take(text.substr(0, end))) return false;
        if (end == text.size()) return true;
        text.remove_prefix(end + 1);
    }
}

}  // namespace

Reply error_reply(int status, std::string_view message) {
    // Messages of this layer contain nothing that needs escaping.
    return {.status = status,
            .type = "application/json",
            .body = fmt::format("{{\"message\":\"{}\",\"option\":null}}\n", message)};
}

Reply reply_of(const Handler& handler, const Request& request) {
    try {
        return handler(request);
    } catch (const std::bad_alloc&) {
        return error_reply(503, "out of memory");
    } catch (const std::exception&) {
        return error_reply(500, "the program is at fault");
    }
}

std::optional<Reply> refusal(const Envelope& envelope, int port) {
    if (envelope.method != "GET" && envelope.method != "POST") {
        Reply reply = error_reply(405, "only GET and POST are answered");
        reply.headers.emplace_back("Allow", "GET, POST");
        return reply;
    }
    const std::vector<std::string_view> hosts = values_of(envelope.headers, "Host");
    if (hosts.size() != 1 || !is_own_host(hosts.front(), port)) {
        return error_reply(421, "Host: is not this server");
    }
    const std::vector<std::string_view> origins = values_of(envelope.headers, "Origin");
    const std::string own_origin = fmt::format("http://{}", hosts.front());
    const bool is_own_origin = std::ranges::all_of(
        origins, [&](std::string_view origin) { return is_same_name(origin, own_origin); });
    const bool is_own = is_of_own_page(envelope.headers) || opens_page(envelope);
    if (!is_own_origin || !is_own) {
        return error_reply(403,
                           "from elsewhere only pages can be opened: /, and what ends in .html");
    }
    return std::nullopt;
}

std::optional<Request> parsed_target(std::string_view target) {
    if (!target.starts_with('/')) return std::nullopt;
    const std::size_t end = std::min(target.find('?'), target.size());
    Request request;
    const bool has_path =
        end == 1 || for_each_part(target.substr(1, end - 1), '/', [&](std::string_view part) {
            std::optional<std::string> text = decoded(part);
            if (text) request.path.push_back(std::move(*text));
            return text.has_value();
        });
    if (!has_path) return std::nullopt;
    if (end + 1 >= target.size()) return request;
    const bool has_query = for_each_part(target.substr(end + 1), '&', [&](std::string_view part) {
        if (part.empty()) return true;
        const std::size_t equals = std::min(part.find('='), part.size());
        std::optional<std::string> name = decoded(part.substr(0, equals));
        std::optional<std::string> value =
            equals < part.size() ? decoded(part.substr(equals + 1)) : std::string();
        if (!name || !value) return false;
        request.query.emplace_back(std::move(*name), std::move(*value));
        return true;
    });
    return has_query ? std::optional(std::move(request)) : std::nullopt;
}

}  // namespace pegen::http

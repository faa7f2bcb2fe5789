#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "http/guard.h"

using namespace pegen::http;

namespace {

constexpr int port = 4242;

/// Returns the status with which a GET is refused; 0 if it is answered.
int refusal_of(std::vector<Field> headers, std::string_view target = "/specs") {
    const auto refused = refusal({"GET", target, headers}, port);
    return refused ? refused->status : 0;
}

}  // namespace

TEST_CASE("guard: the hosts of this machine are answered, in any case of letters") {
    for (const char* host : {"127.0.0.1:4242", "localhost:4242", "LocalHost:4242", "[::1]:4242"}) {
        CHECK(refusal_of({{"Host", host}}) == 0);
        CHECK(refusal_of({{"hOST", host}}) == 0);
    }
}

TEST_CASE("guard: a name that another site made mean this machine is refused") {
    for (const char* host :
         {"evil.example:4242", "evil.example", "127.0.0.1.evil.example:4242", "localhost:4243",
          "localhost", "127.0.0.1", "0.0.0.0:4242", "127.1:4242", "2130706433:4242", "",
          "localhost:4242, evil.example", "localhost:4242.", "user@localhost:4242",
          " localhost:4242", "localhost:04242"}) {
        CAPTURE(host);
        CHECK(refusal_of({{"Host", host}}) == 421);
    }
    CHECK(refusal_of({}) == 421);
    CHECK(refusal_of({{"Host", "localhost:4242"}, {"host", "evil.example"}}) == 421);
}

TEST_CASE("guard: requests of other sites are refused") {
    const Field host{"Host", "localhost:4242"};
    CHECK(refusal_of({host, {"Origin", "http://localhost:4242"}}) == 0);
    for (const char* origin : {"http://evil.example", "null", "http://localhost:4243", "",
                               "https://localhost:4242", "http://127.0.0.1:4242"}) {
        CAPTURE(origin);
        CHECK(refusal_of({host, {"Origin", origin}}) == 403);
    }
    CHECK(refusal_of({host, {"Sec-Fetch-Site", "same-origin"}}) == 0);
    CHECK(refusal_of({host, {"Sec-Fetch-Site", "none"}}) == 403);
    for (const char* site : {"cross-site", "same-site", "", "anything"}) {
        CHECK(refusal_of({host, {"Sec-Fetch-Site", site}}) == 403);
    }
    CHECK(refusal_of({host, {"Sec-Fetch-Site", "same-origin"}, {"sec-fetch-site", "none"}}) == 403);
}

TEST_CASE("guard: another site may link to pages, and to nothing else") {
    const Field host{"Host", "localhost:4242"}, site{"Sec-Fetch-Site", "cross-site"};
    CHECK(refusal_of({host, site, {"Sec-Fetch-Mode", "navigate"}}, "/") == 0);
    CHECK(refusal_of({host, site, {"Sec-Fetch-Mode", "navigate"}}, "/tour.html") == 0);
    CHECK(refusal_of({host, site, {"Sec-Fetch-Mode", "navigate"}}, "/specs") == 403);
    CHECK(refusal_of({host, site, {"Sec-Fetch-Mode", "navigate"}}, "/specs?a=.html") == 403);
    CHECK(refusal_of({host, site, {"Sec-Fetch-Mode", "no-cors"}}, "/") == 403);
    CHECK(refusal_of({host, site}, "/") == 403);
}

TEST_CASE("guard: only GET and POST are answered") {
    const std::vector<Field> headers{{"Host", "localhost:4242"}};
    CHECK_FALSE(refusal({"POST", "/draw/sinusoid", headers}, port));
    const auto refused = refusal({"", "/", headers}, port);
    REQUIRE(refused);
    CHECK(refused->status == 405);
    CHECK(refused->headers == std::vector<Field>{{"Allow", "GET, POST"}});
}

TEST_CASE("guard: a target is taken apart before its escapes are decoded") {
    const auto request = parsed_target("/a%2Fb/c?d=%26%3d+&e&=f&&g=%c3%a9");
    REQUIRE(request);
    CHECK(request->path == std::vector<std::string>{"a/b", "c"});
    CHECK(request->query ==
          std::vector<Field>{{"d", "&=+"}, {"e", ""}, {"", "f"}, {"g", "\xc3\xa9"}});
    CHECK(parsed_target("/")->path.empty());
    CHECK(parsed_target("/?d=4")->query == std::vector<Field>{{"d", "4"}});
    CHECK(parsed_target("/draw/")->path == std::vector<std::string>{"draw", ""});
}

TEST_CASE("guard: a target that is no path of text is refused") {
    for (const char* target : {"", "*", "http://evil.example/", "draw", "/%", "/%4", "/%zz", "/%00",
                               "/a?b=%0a", "/%ff", "/%ed%a0%80", "/?%1b=1", "/\x7f"}) {
        CAPTURE(target);
        CHECK_FALSE(parsed_target(target));
    }
}

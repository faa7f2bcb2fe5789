#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/error.h"
#include "files/json_text.h"

using namespace pegen;

namespace {

/// Returns the message without the path before it, or "read" if there is none.
std::string refusal(std::string_view text) {
    try {
        parse_json(text, "a.json");
    } catch (const FormatError& error) {
        const std::string message = error.what();
        CHECK(message.starts_with("a.json: "));
        return message.substr(8);
    }
    return "read";
}

std::string arrays(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

std::string object(int keys) {
    std::string text = "{";
    for (int i = 0; i < keys; ++i) text += fmt::format("{}\"{}\":{}", i > 0 ? "," : "", i, i);
    return text + "}";
}

}  // namespace

TEST_CASE("json text: a value is read as it is written with its keys in their order") {
    for (const std::string_view text :
         {R"({"z":[1,-2,0.5,1e+100,true,null],"a":{"":"\u0001\u03b8"},"b":[],"c":{}})", "\"text\"",
          "18446744073709551615"}) {
        CHECK(json_line(parse_json(text, "a.json")) == text);
    }
}

TEST_CASE("json text: nesting and keys have these limits") {
    CHECK(refusal(arrays(32)) == "read");
    CHECK(refusal(arrays(33)).ends_with("nested deeper than 32"));
    CHECK(refusal(object(1000)) == "read");
    CHECK(refusal(object(1001)) == "top level: more than 1000 keys");
}

TEST_CASE("json text: a zero byte is refused wherever it stands") {
    const std::string text = "{\"a\":\n[1]}";
    CHECK(refusal(text) == "read");
    for (std::size_t place = 0; place <= text.size(); ++place) {
        CAPTURE(place);
        std::string with_zero = text;
        with_zero.insert(place, 1, '\0');
        CHECK(refusal(with_zero) == fmt::format("line {}: a zero byte, which no JSON text has",
                                                place > text.find('\n') ? 2 : 1));
    }
}

TEST_CASE("json text: a refusal says where in the value or in the text") {
    CHECK(refusal(R"({"jobs":[1,{"sweep":{"d":2,"d":3}}]})") ==
          "jobs[1].sweep: the key \"d\" is there twice");
    CHECK(refusal("[1,\n2,\n3 4]").starts_with("line 3"));
    CHECK(refusal("[1,\n2,\n1e999]").starts_with("line 3"));
}

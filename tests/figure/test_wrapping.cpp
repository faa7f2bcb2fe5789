#include <doctest/doctest.h>

#include "core/utf8.h"
#include "figure/wrapping.h"

using namespace pegen;

namespace {

using Lines = std::vector<std::string>;

Lines in_columns(const std::string& text, double limit) {
    return wrapped(text, limit, [](std::string_view line) { return display_width(line) + 0.0; });
}

}  // namespace

TEST_CASE("wrapping: a text that fits is one line, as it is") {
    CHECK(in_columns("a  b", 4) == Lines{"a  b"});
    CHECK(in_columns("", 4) == Lines{""});
}

TEST_CASE("wrapping: a longer text is broken at spaces, into few and even lines") {
    CHECK(in_columns("one two three", 8) == Lines{"one two", "three"});
    CHECK(in_columns("aa bb cc dd ee", 11) == Lines{"aa bb cc", "dd ee"});
    CHECK(in_columns("a b c d e f", 3) == Lines{"a b", "c d", "e f"});
}

TEST_CASE("wrapping: a word longer than the limit has a line of its own") {
    CHECK(in_columns("a longword b", 3) == Lines{"a", "longword", "b"});
}

TEST_CASE("wrapping: a text without spaces is broken beside wide characters") {
    CHECK(in_columns("位置编码", 4) == Lines{"位置", "编码"});
    CHECK(in_columns("RoPE位置", 6) == Lines{"RoPE", "位置"});
}

TEST_CASE("wrapping: what a terminal has no room for ends in dots") {
    CHECK(shortened("position", 8) == "position");
    CHECK(shortened("position", 7) == "posi...");
    CHECK(shortened("位置编码", 7) == "位置...");
    CHECK(shortened("position", 4) == "p...");
    CHECK(shortened("position", 3) == "");
}

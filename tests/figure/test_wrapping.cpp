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

namespace {

using Ways = std::vector<std::string>;

Ways titles(const std::string& title) { return ways_to_write(TextRole::title, title); }

}  // namespace

TEST_CASE("short texts: a title loses its parameters, the first one last, and then its mask") {
    CHECK(titles("T5 Buckets (num_buckets=32, max_distance=128, max_len=301), query 150") ==
          Ways{"T5 Buckets (num_buckets=32, max_distance=128, max_len=301), query 150",
               "T5 Buckets (num_buckets=32), query 150", "T5 Buckets, query 150"});
    CHECK(titles("ALiBi (heads=8), under a causal mask, head 3") ==
          Ways{"ALiBi (heads=8), under a causal mask, head 3", "ALiBi, under a causal mask, head 3",
               "ALiBi, head 3"});
}

TEST_CASE("short texts: parentheses that hold no parameters stay") {
    CHECK(titles("my table (copy).npy") == Ways{"my table (copy).npy"});
    CHECK(titles("") == Ways{""});
}

TEST_CASE("short texts: some labels have a shorter word, others none") {
    CHECK(ways_to_write(TextRole::y_label, "Sequence Position(max_len)") ==
          Ways{"Sequence Position(max_len)", "Position"});
    const std::string values = "Positional Encoding Values";
    CHECK(ways_to_write(TextRole::y_label, values) == Ways{values, "Value"});
    CHECK(ways_to_write(TextRole::colorbar_label, values) == Ways{values, ""});
    CHECK(ways_to_write(TextRole::x_label, "Distance (Key - Query)") ==
          Ways{"Distance (Key - Query)"});
}

#include <doctest/doctest.h>

#include "figure/wrapping.h"

using namespace pegen;

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

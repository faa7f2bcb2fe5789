#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/names.h"

using namespace pegen;

TEST_CASE("names: a list is joined as its items are typed") {
    CHECK(joined(std::vector<std::string>{"a", "", "b"}, ", ") == "a, , b");
    CHECK(joined(std::vector<std::string_view>{"a"}, ", ") == "a");
    CHECK(joined(std::vector<std::string>{}, ", ") == "");
    CHECK(joined(std::vector<std::int64_t>{-1, 100000}, ",") == "-1,100000");
    CHECK(joined(std::vector<double>{0.1, 100000}, ",") == "0.1,1e+05");
}

TEST_CASE("names: the nearest candidate is suggested") {
    CHECK(did_you_mean("sinusiod", {"binary", "sinusoid", "index"}) ==
          "; did you mean 'sinusoid'?");
}

TEST_CASE("names: nothing is suggested for a word unlike all candidates") {
    CHECK(did_you_mean("xyzzy", {"binary", "sinusoid", "index"}) == "");
}

TEST_CASE("names: words of a list are separated by any number of separators") {
    CHECK(words("sin  cos ") == std::vector<std::string_view>{"sin", "cos"});
    CHECK(words("").empty());
}

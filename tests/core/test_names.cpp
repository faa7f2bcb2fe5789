#include <doctest/doctest.h>

#include "core/names.h"

using namespace pegen;

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

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "core/error.h"

using namespace pegen;

namespace {

std::string refusal(std::string_view text) {
    try {
        refuse("split", text, "needs a rule");
    } catch (const UsageError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("error: a refusal names the option, the text and the rule") {
    CHECK(refusal("1:2") == "--split 1:2: needs a rule");
    CHECK(refusal("") == "--split '': needs a rule");
}

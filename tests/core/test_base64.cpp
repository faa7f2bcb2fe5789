#include <doctest/doctest.h>

#include "core/base64.h"

using namespace pegen;

TEST_CASE("base64: writes the examples of RFC 4648") {
    CHECK(base64("") == "");
    CHECK(base64("f") == "Zg==");
    CHECK(base64("fo") == "Zm8=");
    CHECK(base64("foo") == "Zm9v");
    CHECK(base64("foob") == "Zm9vYg==");
    CHECK(base64("fooba") == "Zm9vYmE=");
    CHECK(base64("foobar") == "Zm9vYmFy");
}

TEST_CASE("base64: bytes have no sign") {
    using namespace std::string_literals;
    CHECK(base64("\xff\xff\xfe\0\x80\xfb"s) == "///+AID7");
}

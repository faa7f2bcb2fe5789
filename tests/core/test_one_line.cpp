#include <doctest/doctest.h>

#include "core/utf8.h"

using namespace pegen;

TEST_CASE("one line: what a terminal obeys is written as bytes, and all else as it is") {
    CHECK(one_line("d = 4, \xc3\xa9\xe4\xb8\xad") == "d = 4, \xc3\xa9\xe4\xb8\xad");
    CHECK(one_line("a\nb\x1b[2J\x7f") == "a\\x0ab\\x1b[2J\\x7f");
    CHECK(one_line("a\xc2\x9b\x38m") == "a\\xc2\\x9b8m");
    CHECK(one_line("a\xe2\x80\xa8") == "a\\xe2\\x80\\xa8");              // line separator
    CHECK(one_line("\xe2\x80\xaegnp.exe") == "\\xe2\\x80\\xaegnp.exe");  // override
    CHECK(one_line("\xe2\x81\xa6 \xe2\x81\xa9") == "\\xe2\\x81\\xa6 \\xe2\\x81\\xa9");  // isolate
    CHECK(one_line("\xff\xc3\xa9") == "\\xff\\xc3\\xa9");                               // not UTF-8
}

#include <doctest/doctest.h>

#include "core/error.h"
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

TEST_CASE("display width: letters, digits and signs have one column") {
    CHECK(display_width("") == 0);
    CHECK(display_width("d_model = 128") == 13);
    CHECK(display_width("\u22121.5e\u22126") == 7);
    CHECK(display_width("10\u2074\u2075\u207b\u00b9") == 6);
    CHECK(display_width("\u03b1\u0416\u05d0\u2580\u00b7") == 5);
}

TEST_CASE("display width: wide and fullwidth characters have two columns") {
    CHECK(display_width("位置编码") == 8);
    CHECK(display_width("かな カナ") == 9);
    CHECK(display_width("한글") == 4);
    CHECK(display_width("（１）") == 6);
    CHECK(display_width("\uff71") == 1);  // halfwidth
    CHECK(display_width("\U0001f600\U0001f680") == 4);
    CHECK(display_width("\U00020000\U0003fffd") == 4);
}

TEST_CASE("display width: ranges of wide characters end where they should") {
    for (const std::string_view wide : {"\u1100", "\u115f", "\u2e80", "\u3000", "\ua4c6", "\uac00",
                                        "\ud7a3", "\uff01", "\uff60", "\U0001f64f"}) {
        CAPTURE(wide);
        CHECK(display_width(wide) == 2);
    }
    for (const std::string_view narrow :
         {"\u10ff", "\u303f", "\ua4d0", "\uabf9", "\uff61", "\U0001f650"}) {
        CAPTURE(narrow);
        CHECK(display_width(narrow) == 1);
    }
}

TEST_CASE("display width: marks have none and stay with their character") {
    CHECK(display_width("e\u0301") == 1);
    CHECK(display_width("\u0e17\u0e35\u0e48") == 1);
    CHECK(display_width("\u304b\u3099") == 2);
    CHECK(display_width("\u1112\u1161\u11ab") == 2);  // Hangul in parts
    CHECK(display_width("\u2764\ufe0f") == 1);
    CHECK(displayed_characters("ae\u0301\u0323位") ==
          std::vector<DisplayedCharacter>{{"a", 1}, {"e\u0301\u0323", 1}, {"位", 2}});
}

TEST_CASE("display width: a mark without a character is left out") {
    CHECK(displayed_characters("\ufeff\u0301a") == std::vector<DisplayedCharacter>{{"a", 1}});
}

TEST_CASE("display width: what a terminal would obey is refused") {
    for (const std::string_view text : {"a\x1b[31m", "a\nb", "\t", "\x7f", "\u009b", "a\xff"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(display_width(text), UsageError);
    }
}

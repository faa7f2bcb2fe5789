#include <doctest/doctest.h>

#include <string>

#include "core/error.h"
#include "core/utf8.h"
#include "encodings/registry.h"
#include "figure/fake_table.h"
#include "figure/figure.h"
#include "figure/options.h"
#include "figure/text.h"

using namespace pegen;

namespace {

/// Returns the fault of the first faulty character; "" if there is none.
std::string fault_of(std::string_view text) {
    for (const Character& character : decode_utf8(text)) {
        if (std::string fault = fault_of_script(character.code); !fault.empty()) return fault;
    }
    return "";
}

}  // namespace

TEST_CASE("scripts: letters that stand side by side have no fault") {
    for (const char* text : {"Position, déjà vu", "Ελληνικά", "Кириллица", "Հայերեն", "ქართული",
                             "አማርኛ", "位置编码", "ひらがな カタカナ", "한국어", "½ → ☃ × 10⁻⁷"}) {
        CAPTURE(text);
        CHECK(fault_of(text) == "");
    }
}

TEST_CASE("scripts: those written from right to left are named") {
    CHECK(fault_of("שלום") ==
          "contains Hebrew, which is written from right to left and cannot be drawn");
    CHECK(fault_of("d=4 مرحبا").starts_with("contains Arabic, "));
    CHECK(fault_of("ﻣﺮﺣﺒﺎ").starts_with("contains Arabic, "));
    CHECK(fault_of("ܫܠܡܐ").starts_with("contains Syriac, "));
    CHECK(fault_of("ދިވެހި").starts_with("contains Thaana, "));
    CHECK(fault_of("ߒߞߏ").starts_with("contains N'Ko, "));
    CHECK(fault_of("𞤀𞤣")
              .starts_with("contains a script of Africa or Asia, which is written from"));
}

TEST_CASE("scripts: those that need shaping are named") {
    CHECK(fault_of("हिन्दी") == "contains Devanagari, which needs shaping and cannot be drawn");
    CHECK(fault_of("தமிழ்").starts_with("contains Tamil, "));
    CHECK(fault_of("မြန်မာ").starts_with("contains Burmese, "));
    CHECK(fault_of("ខ្មែរ").starts_with("contains Khmer, "));
    CHECK(fault_of("\u1112\u1161\u11ab").starts_with("contains Hangul in parts, "));
}

TEST_CASE("scripts: combining marks and what turns text are named by their number") {
    CHECK(fault_of("e\u0301") ==
          "contains U+0301, a combining mark, which cannot be drawn; use a letter "
          "that has its mark, such as é");
    CHECK(fault_of("ที่").starts_with("contains U+0E35, a combining mark"));
    CHECK(fault_of("\u202eabc") ==
          "contains U+202E, which turns the direction of text and cannot be drawn");
}

TEST_CASE("scripts: a figure names the text that cannot be drawn, a window shows it") {
    const Table table = table_of({{0, 1}, {2, 3}});
    const auto refused = [&](std::string_view option, std::string_view text) {
        try {
            compose_figure(table, with({{option, text}, {"font", "builtin"}}));
        } catch (const UsageError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(refused("title", "שלום").starts_with("--title: contains Hebrew, "));
    CHECK(refused("xlabel", "हि").starts_with("--xlabel: contains Devanagari, "));
    CHECK(refused("ylabel", "a\tb") == "--ylabel: contains a tab, which cannot be drawn");
    CHECK(refused("colorbar-label", "位").starts_with("--colorbar-label: the built-in font, "));
    CHECK(refused("title", "\xff") == "--title: byte 1 (0xff) is not valid UTF-8");
    CHECK_NOTHROW(compose_figure(table, with({{"title", "שלום"}}), window_medium(80, 24)));
}

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "figure/font.h"
#include "figure/small_font.h"
#include "files/temporary_folder.h"
#include "formats/cff.h"
#include "program.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

/// Reads a font program byte by byte, as Technical Note 5176 describes it.
struct Reader {
    std::string_view bytes;
    std::size_t at = 0;

    int number(int size) {
        REQUIRE(at + size <= bytes.size());
        int value = 0;
        while (size-- > 0) value = value << 8 | static_cast<unsigned char>(bytes[at++]);
        return value;
    }

    std::vector<std::string_view> index() {
        const int count = number(2);
        if (count == 0) return {};
        const int offset_size = number(1);
        std::vector<int> ends;
        for (int i = 0; i <= count; ++i) ends.push_back(number(offset_size) - 1);
        CHECK(ends.front() == 0);
        std::vector<std::string_view> objects;
        for (int i = 0; i < count; ++i) {
            REQUIRE(at + ends[i + 1] <= bytes.size());
            objects.push_back(bytes.substr(at + ends[i], ends[i + 1] - ends[i]));
        }
        at += ends.back();
        return objects;
    }
};

/// An operator of a DICT or a charstring, and the numbers before it. Those of two bytes count from
/// 0x0c00.
struct Step {
    int operation;
    std::vector<int> numbers;
};

std::vector<Step> steps_of(std::string_view program) {
    std::vector<Step> steps;
    std::vector<int> numbers;
    for (Reader reader{program}; reader.at < program.size();) {
        const int first = reader.number(1);
        if (first == 28) {
            numbers.push_back(static_cast<std::int16_t>(reader.number(2)));
        } else if (first == 29) {
            numbers.push_back(reader.number(4));
        } else if (first < 28) {
            const int operation = first == 12 ? 0x0c00 + reader.number(1) : first;
            steps.push_back({operation, std::exchange(numbers, {})});
        } else if (first <= 246) {
            REQUIRE(first >= 32);
            numbers.push_back(first - 139);
        } else if (first <= 250) {
            numbers.push_back((first - 247) * 256 + reader.number(1) + 108);
        } else {
            REQUIRE(first <= 254);
            numbers.push_back(-(first - 251) * 256 - reader.number(1) - 108);
        }
    }
    CHECK(numbers.empty());
    return steps;
}

std::map<int, std::vector<int>> dictionary_of(std::string_view bytes) {
    std::map<int, std::vector<int>> dictionary;
    for (const Step& step : steps_of(bytes)) dictionary[step.operation] = step.numbers;
    return dictionary;
}

/// The parts of a font that readers need.
struct Parts {
    std::string_view name;
    std::vector<int> box;
    std::vector<std::string_view> charstrings;
};

Parts parts_of(std::string_view program) {
    Reader reader{program};
    CHECK(reader.number(1) == 1);
    CHECK(reader.number(1) == 0);
    CHECK(reader.number(1) == 4);
    CHECK(reader.number(1) == 4);
    const std::vector<std::string_view> names = reader.index(), tops = reader.index(),
                                        strings = reader.index(), subroutines = reader.index();
    REQUIRE(names.size() == 1);
    REQUIRE(tops.size() == 1);
    CHECK(strings == std::vector<std::string_view>{"Adobe", "Identity"});
    CHECK(subroutines.empty());
    CHECK(steps_of(tops[0])[0].operation == 0x0c1e);  // a font with CIDs begins with that
    std::map<int, std::vector<int>> top = dictionary_of(tops[0]);
    CHECK(top.at(0x0c1e) == std::vector<int>{391, 392, 0});
    const auto at = [&](int operation) {
        REQUIRE(top.at(operation).size() == 1);
        return Reader{program, static_cast<std::size_t>(top.at(operation)[0])};
    };
    Reader outlines = at(17), cids = at(15), fonts = at(0x0c25), array = at(0x0c24);
    const std::vector<std::string_view> charstrings = outlines.index();
    const int count = static_cast<int>(charstrings.size());
    CHECK(top.at(0x0c22) == std::vector<int>{count});
    // CIDs 1 to count - 1, in order; glyphs 0 to count - 1 are of font 0.
    CHECK(std::vector{cids.number(1), cids.number(2), cids.number(2)} ==
          std::vector{2, 1, count - 2});
    CHECK(std::vector{fonts.number(1), fonts.number(2), fonts.number(2), fonts.number(1),
                      fonts.number(2)} == std::vector{3, 1, 0, 0, count});
    const std::vector<std::string_view> dictionaries = array.index();
    REQUIRE(dictionaries.size() == 1);
    const std::vector<int> widths = dictionary_of(dictionaries[0]).at(18);
    CHECK(widths[0] + widths[1] == static_cast<int>(program.size()));
    CHECK(dictionary_of(program.substr(widths[1])) == std::map<int, std::vector<int>>{{20, {0}}});
    return {names[0], top.at(5), charstrings};
}

struct Place {
    int x;
    int y;
    bool operator==(const Place&) const = default;
};

/// A glyph as a reader draws it: for each contour the points of its lines and curves.
struct Drawn {
    int width = 0;
    std::vector<std::vector<Place>> contours{};
};

Drawn drawn(std::string_view charstring) {
    std::vector<Step> steps = steps_of(charstring);
    REQUIRE(!steps.empty());
    CHECK(steps.back().operation == 14);
    std::vector<int>& first = steps.front().numbers;
    REQUIRE(!first.empty());
    Drawn glyph{first.front()};
    first.erase(first.begin());
    Place pen{0, 0};
    for (const auto& [operation, numbers] : steps) {
        const std::map<int, std::size_t> counts{{21, 2}, {5, 2}, {8, 6}, {14, 0}};
        REQUIRE(numbers.size() == counts.at(operation));
        if (operation == 21) glyph.contours.emplace_back();
        for (std::size_t i = 0; i < numbers.size(); i += 2) {
            pen = {pen.x + numbers[i], pen.y + numbers[i + 1]};
            glyph.contours.back().push_back(pen);
        }
    }
    return glyph;
}

std::shared_ptr<const Font> font_of(const std::string& bytes) {
    const TemporaryFolder folder;
    put(folder.path("a b-1_c.ttf"), bytes);
    return load_font(folder.path("a b-1_c.ttf"));
}

}  // namespace

TEST_CASE("cff: glyphs are drawn with the points of the font, in thousandths of an em") {
    const std::shared_ptr<const Font> font = font_of(small_font(square()));
    const CffFont embedded = cff_font("Name", *font, std::array{1, 1});
    const Parts parts = parts_of(embedded.program);
    CHECK(parts.name == "Name");
    CHECK(parts.box == std::vector{0, 0, 1000, 1000});
    CHECK(embedded.box.top == 1000);
    REQUIRE(parts.charstrings.size() == 3);
    CHECK(drawn(parts.charstrings[0]).contours.empty());
    for (const int glyph : {1, 2}) {
        const Drawn square = drawn(parts.charstrings[glyph]);
        CHECK(square.width == 1000);
        CHECK(square.contours == std::vector<std::vector<Place>>{
                                     {{0, 0}, {0, 1000}, {1000, 1000}, {1000, 0}, {0, 0}}});
    }
}

TEST_CASE("cff: numbers of every length are read as they were written") {
    for (const int side : {1, 107, 108, 1131, 1132, 15999, 16001}) {
        std::string glyph = square();
        // The steps up to the second point and down to the fourth.
        glyph.replace(28, 2, u16(side));
        glyph.replace(32, 2, u16(-side));
        const Drawn found =
            drawn(parts_of(cff_font("N", *font_of(small_font(glyph)), std::array{1}).program)
                      .charstrings[1]);
        CAPTURE(side);
        // What reaches further than 16 em is cut off.
        CHECK(found.contours.at(0)[1] == Place{0, std::min(side, 16000)});
        CHECK(found.contours.at(0)[3] == Place{1000, 0});
    }
}

TEST_CASE("cff: cubic curves of the font are kept") {
    const std::string arch = operand(0) + operand(0) + '\x15' + operand(10) + operand(900) +
                             operand(700) + operand(50) + operand(20) + operand(-950) + "\x08\x0e";
    const std::shared_ptr<const Font> font = font_of(small_cff_font({.program = arch}));
    const Drawn found = drawn(parts_of(cff_font("N", *font, std::array{1}).program).charstrings[1]);
    REQUIRE(found.contours.size() == 1);
    CHECK(found.contours[0] == std::vector<Place>{{0, 0}, {10, 900}, {710, 950}, {730, 0}, {0, 0}});
}

TEST_CASE("cff: cubic curves have the shape of the font's quadratic ones") {
    const Font& font = Font::built_in();
    const std::vector<int> glyphs{font.glyph('a'), font.glyph(U'\u03b8'), font.glyph(' ')};
    const Parts parts = parts_of(cff_font("DejaVuSans", font, glyphs).program);
    const double unit = 1000.0 / 2048;
    CHECK(font.units_per_em() == 2048);
    for (std::size_t i = 0; i < glyphs.size(); ++i) {
        const Drawn glyph = drawn(parts.charstrings[i + 1]);
        CHECK(glyph.width == std::lround(font.advance(glyphs[i]) * unit));
        std::size_t contour = 0, point = 0, curves = 0;
        OutlinePart last{};
        for (const OutlinePart& part : font.outline(glyphs[i])) {
            if (part.kind == OutlinePart::Kind::contour) {
                if (point > 0) {
                    CHECK(point == glyph.contours.at(contour++).size());
                }
                point = 0;
            }
            const auto next = [&] { return glyph.contours.at(contour).at(point++); };
            if (part.kind == OutlinePart::Kind::curve) {
                ++curves;
                const Place start = glyph.contours.at(contour).at(point - 1);
                const Place a = next(), b = next(), end = next();
                // The middles of both curves, at half of the parameter.
                const auto check = [&](int from, int one, int two, int to, int first, int control,
                                       int second) {
                    CHECK(std::abs((from + 3 * one + 3 * two + to) / 8.0 -
                                   unit * (first + 2 * control + second) / 4.0) < 1);
                };
                check(start.x, a.x, b.x, end.x, last.x, part.control_x, part.x);
                check(start.y, a.y, b.y, end.y, last.y, part.control_y, part.y);
                CHECK(std::abs(end.x - unit * part.x) <= 0.5);
                // Control points on the straight line to the quadratic one, two thirds of the way.
                CHECK(std::abs(a.x - unit * (last.x + 2 * part.control_x) / 3.0) <= 0.5);
            } else {
                const Place end = next();
                CHECK(std::abs(end.x - unit * part.x) <= 0.5);
                CHECK(std::abs(end.y - unit * part.y) <= 0.5);
            }
            last = part;
        }
        CHECK((curves > 10) == (glyphs[i] != font.glyph(' ')));
    }
}

TEST_CASE("cff: a font is named by the letters of its file's name") {
    CHECK(Font::built_in().embedded_name() == "DejaVuSans");
    CHECK(font_of(small_font(square()))->embedded_name() == "ab-1c");
    const TemporaryFolder folder;
    put(folder.path("\u4f4d"), small_font(square()));
    CHECK(load_font(folder.path("\u4f4d"))->embedded_name() == "Font");
}

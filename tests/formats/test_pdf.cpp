#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/parallel.h"
#include "core/utf8.h"
#include "figure/fake_table.h"
#include "figure/figure.h"
#include "figure/font.h"
#include "figure/options.h"
#include "figure/small_font.h"
#include "files/deflate.h"
#include "files/temporary_folder.h"
#include "formats/pdf.h"
#include "formats/png.h"
#include "formats/vector.h"
#include "program.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

constexpr std::array encoding_parameters{
    ParameterSpec{.name = "len", .type = ParameterType::integer, .default_value = "30"},
    ParameterSpec{.name = "note", .type = ParameterType::text, .default_value = "(\u03b8\\"},
};

Table generated() {
    Table table = table_from(30, 20, [](std::int64_t row, std::int64_t column) {
        return std::sin(static_cast<double>(row * column));
    });
    table.provenance = {"sinusoid", "", "table", Parameters(encoding_parameters)};
    return table;
}

Table with_gap() { return table_of({{1, 2, 3}, {2, std::nan(""), 4}}); }

std::string file_of(const Table& table, const Options& options = {}) {
    return formats::pdf.draw(table, with(options)).file;
}

/// An object: its dictionary, and what its stream holds.
struct Object {
    std::string dictionary;
    std::string stream{};

    bool has(std::string_view entry) const { return dictionary.find(entry) != dictionary.npos; }

    /// Returns the numbers after the name of an entry, up to the end of an array.
    std::vector<double> numbers(std::string_view entry) const {
        const std::size_t at = dictionary.find(entry);
        REQUIRE(at != dictionary.npos);
        std::string text = dictionary.substr(at + entry.size());
        text.resize(text.find_first_of("]/>"));
        std::replace(text.begin(), text.end(), '[', ' ');
        std::istringstream words(text);
        std::vector<double> numbers;
        for (double number = 0; words >> number;) numbers.push_back(number);
        return numbers;
    }
    int number(std::string_view entry) const { return static_cast<int>(numbers(entry).at(0)); }
};

/// Returns the objects that the table at the end of the file names, by number, as a reader finds
/// them; checks every offset and every length.
std::vector<Object> objects_of(const std::string& file) {
    REQUIRE(file.starts_with("%PDF-1.4\n%"));
    REQUIRE(file.ends_with("\n%%EOF\n"));
    const std::size_t start = file.rfind("startxref\n");
    REQUIRE(start != file.npos);
    const std::size_t table = std::stoul(file.substr(start + 10));
    REQUIRE(file.substr(table, 7) == "xref\n0 ");
    std::size_t at = file.find('\n', table + 5) + 1;
    const std::size_t count = std::stoul(file.substr(table + 7));
    CHECK(file.substr(at, 20) == "0000000000 65535 f \n");
    std::vector<Object> objects(1);
    for (std::size_t number = 1; number < count; ++number) {
        CAPTURE(number);
        const std::string line = file.substr(at + 20 * number, 20);
        CHECK(line.substr(10) == " 00000 n \n");
        std::size_t begin = std::stoul(line);
        const std::string opening = std::to_string(number) + " 0 obj\n";
        REQUIRE(file.substr(begin, opening.size()) == opening);
        begin += opening.size();
        const std::size_t end = file.find('\n', begin);
        Object object{file.substr(begin, end - begin)};
        std::size_t after = end;
        if (object.has("/Length ")) {
            const auto length = static_cast<std::size_t>(object.number("/Length "));
            REQUIRE(file.substr(end, 8) == "\nstream\n");
            const auto bytes =
                inflated(std::string_view(file).substr(end + 8, length), object.number("/DL "));
            REQUIRE(bytes);
            object.stream = *bytes;
            after = end + 8 + length + 10;
            CHECK(file.substr(after - 10, 10) == "\nendstream");
        }
        CHECK(file.substr(after, 8) == "\nendobj\n");
        objects.push_back(std::move(object));
    }
    at += 20 * count;
    CHECK(file.substr(at, file.find("/Root", at) - at) ==
          "trailer\n<< /Size " + std::to_string(count) + " ");
    return objects;
}

/// The objects of a file, by what leads to them from its trailer.
struct Document {
    std::vector<Object> objects;
    Object information, page;

    explicit Document(const std::string& file) : objects(objects_of(file)) {
        const Object trailer{file.substr(file.rfind("trailer"))};
        information = at(trailer, "/Info ");
        page = at(at(at(trailer, "/Root "), "/Pages "), "/Kids ");
    }

    const Object& at(const Object& from, const std::string& entry) const {
        return objects.at(static_cast<std::size_t>(from.number(entry)));
    }
    std::string operators() const { return at(page, "/Contents ").stream; }

    /// Returns the lines of the page that end in an operator, as numbers.
    std::vector<std::vector<double>> lines(const std::string& operation) const {
        std::vector<std::vector<double>> found;
        std::istringstream all(operators());
        for (std::string line; std::getline(all, line);) {
            if (!line.ends_with(" " + operation)) continue;
            std::istringstream words(line);
            found.emplace_back();
            for (double number = 0; words >> number;) found.back().push_back(number);
        }
        return found;
    }
};

/// Returns the characters that a font's map gives to CIDs, as hexadecimal digits.
std::map<std::string, std::string> characters_of(const std::string& map) {
    std::map<std::string, std::string> characters;
    std::istringstream lines(map);
    std::size_t announced = 0;
    for (std::string line; std::getline(lines, line);) {
        if (line.ends_with("beginbfchar")) {
            CHECK(std::stoul(line) <= 100);
            announced += std::stoul(line);
        }
        if (!line.starts_with('<') || line.ends_with("<ffff>")) continue;
        const bool is_new =
            characters.emplace(line.substr(1, 4), line.substr(8, line.size() - 9)).second;
        CHECK(is_new);
    }
    CHECK(announced == characters.size());
    return characters;
}

/// A text on the page, as a reader finds it.
struct FoundText {
    std::vector<double> matrix;
    double size;
    double length;           ///< in pixels
    std::string characters;  ///< UTF-16, in hexadecimal digits
    std::string colour;
};

std::vector<FoundText> texts_of(const Document& document) {
    std::vector<FoundText> texts;
    std::istringstream lines(document.operators());
    for (std::string line; std::getline(lines, line);) {
        const std::size_t begin = line.find(" rg BT ");
        if (begin == line.npos) continue;
        REQUIRE(line.ends_with(" ET"));
        FoundText text{{}, 0, 0, "", line.substr(0, begin)};
        std::istringstream words(line.substr(begin + 7));
        for (int i = 0; i < 6; ++i) {
            text.matrix.emplace_back();
            words >> text.matrix.back();
        }
        std::string word;
        words >> word;
        CHECK(word == "Tm");
        for (std::string name; words >> name && name != "ET";) {
            REQUIRE(name.starts_with("/F"));
            words >> text.size >> word;
            CHECK(word == "Tf");
            const Object& font = document.at(document.page, name + " ");
            const Object& descendant = document.at(font, "/DescendantFonts [");
            const std::map<std::string, std::string> characters =
                characters_of(document.at(font, "/ToUnicode ").stream);
            std::vector<double> widths = descendant.numbers("/W [1 ");
            CHECK(widths.size() == characters.size());
            std::string array;
            std::getline(words, array, 'J');
            CHECK(array.ends_with("] T"));
            array = array.substr(array.find('[') + 1);
            double length = 0;
            for (std::size_t at = 0; array[at] != ']';) {
                if (array[at] == '<') {
                    for (++at; array[at] != '>'; at += 4) {
                        const std::string cid = array.substr(at, 4);
                        text.characters += characters.at(cid);
                        length += widths.at(std::stoul(cid, nullptr, 16) - 1);
                    }
                    ++at;
                } else {
                    std::size_t digits = 0;
                    length -= std::stod(array.substr(at), &digits);
                    at += digits;
                    if (array[at] == ' ') ++at;
                }
            }
            text.length += length * text.size / 1000;
        }
        texts.push_back(std::move(text));
    }
    return texts;
}

std::string utf16(std::string_view text) {
    std::string digits;
    for (const Character& character : decode_utf8(text)) {
        std::array<char, 12> buffer{};
        const auto code = static_cast<unsigned>(character.code);
        if (code < 0x10000) {
            std::snprintf(buffer.data(), buffer.size(), "%04x", code);
        } else {
            std::snprintf(buffer.data(), buffer.size(), "%04x%04x",
                          0xd800 + ((code - 0x10000) >> 10), 0xdc00 + (code & 0x3ff));
        }
        digits += buffer.data();
    }
    return digits;
}

/// Checks that the texts of a file are those of the layout, and where it has them.
void check_texts(const Options& options, const Table& table = generated()) {
    const std::vector<PlacedText> placed = compose_figure(table, with(options)).texts;
    const std::vector<FoundText> texts = texts_of(Document(file_of(table, options)));
    REQUIRE(texts.size() == placed.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        CAPTURE(placed[i].text);
        CHECK(texts[i].characters == utf16(placed[i].text));
        const TextStyle& style = placed[i].style;
        CHECK(texts[i].size == doctest::Approx(style.points * style.dpi / 72).epsilon(1e-4));
        const double measured = text_advance(placed[i].text, style);
        CHECK(texts[i].length == doctest::Approx(measured).epsilon(0.03));
        const double moved = anchor_of(placed[i].role).share * (measured - texts[i].length);
        const double angle = placed[i].direction == Direction::upwards   ? 2
                             : placed[i].direction == Direction::slanted ? 1
                                                                         : 0;
        const double c = std::cos(angle * std::atan(1)), s = std::sin(angle * std::atan(1));
        const std::vector<double> matrix{
            c, -s, -s, -c, placed[i].x + c * moved, placed[i].y - s * moved};
        for (std::size_t k = 0; k < 6; ++k) CHECK(std::abs(texts[i].matrix[k] - matrix[k]) < 0.02);
    }
}

/// Returns the file with every stream compressed in another way: not at all.
std::string stored_anew(const std::string& file) {
    std::string result = file.substr(0, file.find("1 0 obj"));
    const std::vector<Object> objects = objects_of(file);
    std::string table = "0000000000 65535 f \n";
    for (std::size_t number = 1; number < objects.size(); ++number) {
        std::array<char, 24> line{};
        std::snprintf(line.data(), line.size(), "%010zu 00000 n \n", result.size());
        table += line.data();
        std::string dictionary = objects[number].dictionary, stream;
        if (objects[number].has("/Length ")) {
            std::string_view rest = objects[number].stream;
            std::string data = "\x78\x01";
            std::uint32_t a = 1, b = 0;
            for (const char byte : rest) {
                a = (a + static_cast<unsigned char>(byte)) % 65521;
                b = (b + a) % 65521;
            }
            do {
                const std::string_view block = rest.substr(0, 65535);
                rest.remove_prefix(block.size());
                const auto size = static_cast<unsigned>(block.size());
                data += rest.empty() ? '\1' : '\0';
                for (const unsigned number_of : {size, ~size}) {
                    data += static_cast<char>(number_of & 0xff);
                    data += static_cast<char>(number_of >> 8 & 0xff);
                }
                data += block;
            } while (!rest.empty());
            data += u32(static_cast<std::int64_t>(b) << 16 | a);
            const std::size_t at = dictionary.find(" /DL");
            dictionary = "<< /Length " + std::to_string(data.size()) + dictionary.substr(at);
            stream = "\nstream\n" + data + "\nendstream";
        }
        result += std::to_string(number) + " 0 obj\n" + dictionary + stream + "\nendobj\n";
    }
    const std::size_t place = result.size();
    result += "xref\n0 " + std::to_string(objects.size()) + "\n" + table;
    const std::size_t trailer = file.rfind("trailer");
    return result + file.substr(trailer, file.rfind("startxref") - trailer) + "startxref\n" +
           std::to_string(place) + "\n%%EOF\n";
}

}  // namespace

TEST_CASE("pdf: the page has the size of the figure, in points") {
    const auto size = [](const Options& options) {
        return Document(file_of(generated(), options)).page.numbers("/MediaBox ");
    };
    CHECK(size({}) == std::vector<double>{0, 0, 720, 576});
    CHECK(size({{"figsize", "6.4x4.8"}}) == std::vector<double>{0, 0, 460.8, 345.6});
    CHECK(size({{"for", "column"}}) == std::vector<double>{0, 0, 237.6, 158.4});
    CHECK(size({{"no-axes", "true"}, {"dpi", "72"}}) == std::vector<double>{0, 0, 20, 30});
    const std::string operators =
        Document(file_of(generated(), {{"figsize", "6.4x4.8"}, {"dpi", "150"}})).operators();
    CHECK(operators.starts_with("0.480000 0 0 -0.480000 0 345.6 cm\n"));
}

TEST_CASE("pdf: every text is a text where the layout has it, in characters that readers find") {
    for (const char* dpi : {"100", "72", "233"}) check_texts({{"dpi", dpi}});
    check_texts({{"title", "AV To (x) \\ \u2212\u03b8 \U0001d538"}, {"xlabel", "  "}});
    check_texts({{"annotate", "true"}});
    Table named = generated();
    for (Axis& axis : named.axes) axis.index_names.assign(60, "because");
    check_texts({{"for", "page"}}, named);
    std::string many;
    for (char c = '!'; c <= '~'; ++c) many += c;
    for (int c = 0xa1; c < 0xe0; ++c) many += {'\xc3', static_cast<char>(c - 0x20)};
    check_texts({{"title", many}});
}

TEST_CASE("pdf: a text in two fonts is in both, and each font is there once") {
    const TemporaryFolder folder;
    put(folder.path("own.ttf"), small_font(square()));
    const std::string path = folder.path("own.ttf");
    const Options options{{"font", path}, {"title", "A\u4f4dV\u4f4d"}};
    check_texts(options);
    const std::string file = file_of(generated(), options);
    const Document document(file);
    std::vector<std::string> names;
    for (const Object& object : document.objects) {
        if (!object.has("/FontDescriptor /FontName ")) continue;
        const Object& program = document.at(object, "/FontFile3 ");
        CHECK(program.has("/Subtype /CIDFontType0C"));
        CHECK(program.stream.starts_with(std::string("\1\0\4\4", 4)));
        const std::size_t at = object.dictionary.find("/FontName /") + 11;
        names.push_back(object.dictionary.substr(at, object.dictionary.find(' ', at) - at));
    }
    REQUIRE(names.size() == 2);
    for (const std::string& name : names) CHECK(name.find('+') == 6);
    CHECK(names[0].substr(6) == "+DejaVuSans");
    CHECK(names[1].substr(6) == "+own");
    const Document other(file_of(generated(), {{"title", "B"}}));
    bool is_other = true;
    for (const Object& object : other.objects) is_other = is_other && !object.has(names[0]);
    CHECK(is_other);  // parts of a font have different names
}

TEST_CASE("pdf: the lines are those of the layout, on the theme's ground") {
    const std::vector<Box> lines = compose_figure(generated(), with({})).lines;
    const Document light(file_of(generated()));
    CHECK(light.operators().find("1 1 1 rg\n0 0 1000 800 re f\n") != std::string::npos);
    const std::vector<std::vector<double>> widths = light.lines("w"), starts = light.lines("m"),
                                           ends = light.lines("l");
    REQUIRE(widths.size() == lines.size());
    REQUIRE(starts.size() == lines.size());
    REQUIRE(ends.size() == lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Box& line = lines[i];
        const double half = widths[i][0] / 2, length = std::max(line.width(), line.height());
        const bool is_upright = line.height() == length;
        const Box found{starts[i][0] - (is_upright ? half : 0),
                        starts[i][1] - (is_upright ? 0 : half),
                        ends[i][0] + (is_upright ? half : 0), ends[i][1] + (is_upright ? 0 : half)};
        CHECK(std::abs(found.left - line.left) < 2e-3);
        CHECK(std::abs(found.top - line.top) < 2e-3);
        CHECK(std::abs(found.right - line.right) < 2e-3);
        CHECK(std::abs(found.bottom - line.bottom) < 2e-3);
    }
    const Document dark(file_of(generated(), {{"theme", "dark"}, {"annotate", "true"}}));
    CHECK(dark.operators().find("0.071 0.071 0.071 rg\n0 0 1000 800 re f\n") != std::string::npos);
    CHECK(texts_of(dark).front().colour == "0.894 0.894 0.894");
    std::map<std::string, int> colours;
    for (const FoundText& text : texts_of(dark)) ++colours[text.colour];
    CHECK(colours.contains("1 1 1"));
    CHECK(colours.contains("0 0 0"));
    const Document clear(file_of(generated(), {{"transparent", "true"}}));
    CHECK(clear.lines("re f").empty());
    CHECK_THROWS_WITH_AS(file_of(generated(), {{"theme", "auto"}}),
                         doctest::Contains("--theme auto: is for SVG"), UsageError);
}

TEST_CASE("pdf: heatmap and colour bar are images of their grids, which viewers do not smooth") {
    for (const Options& options :
         {Options{}, Options{{"aspect", "equal"}, {"figsize", "7.123x5.777"}},
          Options{{"cell", "3"}}}) {
        const Figure figure = compose_figure(generated(), with(options));
        const Document document(file_of(generated(), options));
        for (std::size_t i = 0; i < figure.grids.size(); ++i) {
            const PlacedGrid& placed = figure.grids[i];
            const Object& found = document.at(document.page, "/I" + std::to_string(i) + " ");
            const Image image = image_of(placed, figure);
            CHECK(found.number("/Width ") == placed.grid.width);
            CHECK(found.number("/Height ") == placed.grid.height);
            CHECK(found.number("/Columns ") == placed.grid.width);
            CHECK(found.number("/Predictor ") == 15);
            CHECK(found.number("/BitsPerComponent ") == 8);
            CHECK(found.has("/Interpolate false"));
            CHECK_FALSE(found.has("/Mask"));
            const auto rows = inflated(png_rows(image), found.stream.size());
            REQUIRE(rows);
            CHECK(found.stream == *rows);
            const Object& colours = document.at(found, "/Indexed /DeviceRGB 255 ");
            CHECK(colours.stream ==
                  std::string_view(reinterpret_cast<const char*>(image.colours.data()), 3 * 256));
            const std::string place = "q " + std::to_string(placed.grid.width) + " 0 0 -" +
                                      std::to_string(placed.grid.height) + " " +
                                      std::to_string(placed.left) + " " +
                                      std::to_string(placed.top + placed.grid.height) + " cm /I" +
                                      std::to_string(i) + " Do Q\n";
            CHECK(document.operators().find(place) != std::string::npos);
        }
    }
}

TEST_CASE("pdf: cells without a value are seen through if there is no background") {
    const Options options{{"transparent", "true"}};
    const Figure figure = compose_figure(with_gap(), with(options));
    const Image image = image_of(figure.grids[0], figure);
    const Document document(file_of(with_gap(), options));
    const Object& heatmap = document.at(document.page, "/I0 ");
    const std::vector<double> mask = heatmap.numbers("/Mask ");
    REQUIRE(mask.size() == 2);
    CHECK(mask[0] == mask[1]);
    CHECK(image.opacities.at(static_cast<std::size_t>(mask[0])) == 0);
    CHECK_FALSE(document.at(document.page, "/I1 ").has("/Mask"));
    CHECK_FALSE(Document(file_of(with_gap())).at(document.page, "/I0 ").has("/Mask"));
}

TEST_CASE("pdf: the panels of a figure share their colours") {
    const ProgramRun run = run_program("alibi --heads 5 --len 6 --unmasked --pdf -");
    int images = 0, palettes = 0;
    for (const Object& object : Document(run.output).objects) {
        images += object.has("/Subtype /Image") ? 1 : 0;
        palettes += object.stream.size() == 3 * 256 ? 1 : 0;
    }
    CHECK(images == 6);
    CHECK(palettes == 1);
}

TEST_CASE("pdf: curves and bands are paths through their points, and a point is a dot") {
    const Options options{{"plot", "waves"}, {"channels", "1"}};
    const Table table = table_from(3, 2, [](std::int64_t row, std::int64_t) {
        return row == 1 ? std::nan("") : static_cast<double>(row);
    });
    const Figure figure = compose_figure(table, with(options));
    const Document document(file_of(table, options));
    std::size_t points = 0, dots = 0;
    for (const Curve& curve : figure.curves) {
        points += curve.points.size();
        dots += curve.points.size() == 1 ? 1 : 0;
    }
    CHECK(dots == 2);
    const std::size_t lines = figure.lines.size();
    CHECK(document.lines("m").size() == lines + figure.curves.size());
    CHECK(document.lines("l").size() == lines + points - figure.curves.size() + dots);
    CHECK(std::abs(document.lines("m")[0][0] - figure.curves[0].points[0].x) < 1e-3);
    CHECK(document.operators().find("1 J 1 j\n") != std::string::npos);
    const Figure with_band = compose_figure(generated(), with({{"plot", "offsets"}}));
    REQUIRE(!with_band.bands.empty());
    const Document offsets(file_of(generated(), {{"plot", "offsets"}}));
    CHECK(offsets.operators().find(" l\nf\n") != std::string::npos);
    std::size_t corners = with_band.lines.size();
    for (const Curve& curve : with_band.curves) corners += curve.points.size() - 1;
    for (const Band& band : with_band.bands) corners += band.upper.size() + band.lower.size() - 1;
    CHECK(offsets.lines("l").size() == corners);
}

TEST_CASE("pdf: the information has title, program and provenance, and nothing of the moment") {
    const std::string file = file_of(generated());
    CHECK(
        Document(file).information.dictionary ==
        R"(<< /Producer (pe-gen) /pe-gen ({"encoding":"sinusoid","table":"table","parameters":)"
        R"({"len":30,"note":"\(\\u03b8\\\\"},"dtype":"float64"}) /Title (Positional Encoding) >>)");
    CHECK(file.find("Date") == std::string::npos);
    CHECK(file.find("/ID") == std::string::npos);
    Table table = generated();
    table.provenance = {};
    CHECK(Document(file_of(table, {{"title", ""}})).information.dictionary ==
          "<< /Producer (pe-gen) >>");
    CHECK(Document(file_of(table, {{"title", "\u03b8)\n\U0001d400"}, {"no-axes", "true"}}))
              .information.dictionary ==
          "<< /Producer (pe-gen) /Title <feff03b80029000ad835dc00> >>");
    CHECK_THROWS_AS(file_of(table, {{"title", "\xff"}, {"no-axes", "true"}}), UsageError);
}

TEST_CASE("pdf: the same bytes for the same input and any number of threads") {
    const int threads = thread_count();
    const std::string many = file_of(generated());
    limit_threads(1);
    CHECK(file_of(generated()) == many);
    limit_threads(threads);
}

TEST_CASE("pdf: a file that another compressor made says the same, a damaged one does not") {
    const std::string file = file_of(generated());
    const auto is_same = [&](const std::string& other) {
        return formats::pdf.says_the_same(file, other);
    };
    const std::string stored = stored_anew(file);
    CHECK(stored.size() > file.size());
    objects_of(stored);
    CHECK(is_same(file));
    CHECK(is_same(stored));
    CHECK_FALSE(is_same(""));
    CHECK_FALSE(is_same(file_of(generated(), {{"cmap", "viridis"}})));
    for (std::size_t at = 0; at < stored.size(); at += at < 3000 ? 1 : 4999) {
        CAPTURE(at);
        std::string damaged = stored;
        damaged[at] ^= 1;
        CHECK_FALSE(is_same(damaged));
        CHECK_FALSE(is_same(stored.substr(0, at)));
    }
    std::string moved = stored;
    moved[stored.rfind(" 00000 n") - 1] ^= 1;
    CHECK_FALSE(is_same(moved));
    // A stream that announces more than it can hold is not inflated.
    std::string huge = stored;
    huge.insert(huge.find(" /DL ") + 5, "99999999999999");
    CHECK_FALSE(is_same(huge));
}

TEST_CASE("pdf: takes no rows, is not for a terminal, and has the options of PNG") {
    const bool takes_rows = formats::pdf.append_rows != nullptr;
    CHECK_FALSE(takes_rows);
    CHECK(formats::pdf.is_binary);
    const bool shares_options =
        formats::pdf.parameters().data() == formats::png.parameters().data();
    CHECK(shares_options);
}

TEST_CASE("pdf: a disk without room for the file is left as it was") {
    const TemporaryFolder folder;
    put(folder.path("old.pdf"), "old");
    const ProgramRun run = run_program("index --len 1 -q; ulimit -f 8; '" PEGEN_PROGRAM
                                       "' sinusoid --pdf old.pdf --pdf new.pdf",
                                       folder.path(""));
    CHECK(run.status == 4);
    CHECK(folder.names() == std::set<std::string>{"old.pdf"});
    CHECK(content(folder.path("old.pdf")) == "old");
}

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/parallel.h"
#include "figure/fake_table.h"
#include "figure/figure.h"
#include "figure/options.h"
#include "figure/paint.h"
#include "figure/pixels.h"
#include "figure/small_font.h"
#include "files/temporary_folder.h"
#include "formats/png.h"
#include "formats/svg.h"

using namespace pegen;

namespace {

constexpr std::array encoding_parameters{
    ParameterSpec{.name = "len", .type = ParameterType::integer, .default_value = "30"},
    ParameterSpec{.name = "note", .type = ParameterType::text, .default_value = "<\u03b8>"},
};

Table generated() {
    Table table = table_from(30, 20, [](std::int64_t row, std::int64_t column) {
        return std::sin(static_cast<double>(row * column));
    });
    table.provenance = {"sinusoid", "", "table", Parameters(encoding_parameters)};
    return table;
}

std::string file_of(const Table& table, const Options& options = {}) {
    return formats::svg.draw(table, with(options)).file;
}

std::string unescaped(std::string_view text) {
    const std::map<std::string_view, char> entities{{"amp", '&'},  {"lt", '<'},    {"gt", '>'},
                                                    {"quot", '"'}, {"apos", '\''}, {"#13", '\r'}};
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        REQUIRE(text[at] != '<');
        REQUIRE(text[at] != '"');
        if (text[at] != '&') {
            result += text[at];
            continue;
        }
        const std::size_t end = text.find(';', at);
        REQUIRE(end != std::string_view::npos);
        const auto entity = entities.find(text.substr(at + 1, end - at - 1));
        REQUIRE(entity != entities.end());
        result += entity->second;
        at = end;
    }
    return result;
}

struct Element {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::string text;  ///< without the text of inner elements
};

/// Parses attributes of the form name="value" name="value".
std::map<std::string, std::string> attributes_of(std::string_view text) {
    std::map<std::string, std::string> attributes;
    while (!text.empty()) {
        REQUIRE(text.front() == ' ');
        const std::size_t equals = text.find("=\"");
        REQUIRE(equals != std::string_view::npos);
        const std::size_t end = text.find('"', equals + 2);
        REQUIRE(end != std::string_view::npos);
        const bool is_new = attributes
                                .emplace(text.substr(1, equals - 1),
                                         unescaped(text.substr(equals + 2, end - equals - 2)))
                                .second;
        CHECK(is_new);
        text.remove_prefix(end + 1);
    }
    return attributes;
}

/// All elements in the order of their beginnings; checks that every one is closed.
std::vector<Element> parsed(std::string_view file) {
    constexpr std::string_view declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    REQUIRE(file.starts_with(declaration));
    file.remove_prefix(declaration.size());
    std::vector<Element> elements;
    std::vector<std::size_t> open;
    while (!file.empty()) {
        const std::size_t tag = std::min(file.find('<'), file.size());
        const std::string text = unescaped(file.substr(0, tag));
        if (open.empty()) {
            CHECK(text.find_first_not_of('\n') == std::string::npos);
        } else {
            elements[open.back()].text += text;
        }
        file.remove_prefix(tag);
        if (file.empty()) break;
        const std::size_t end = file.find('>');
        REQUIRE(end != std::string_view::npos);
        std::string_view inside = file.substr(1, end - 1);
        file.remove_prefix(end + 1);
        if (inside.starts_with('/')) {
            REQUIRE(!open.empty());
            CHECK(elements[open.back()].name == inside.substr(1));
            open.pop_back();
            continue;
        }
        const bool is_empty = inside.ends_with('/');
        if (is_empty) inside.remove_suffix(1);
        const bool is_only_root = !elements.empty() && open.empty();
        CHECK_FALSE(is_only_root);
        const std::size_t name = std::min(inside.find(' '), inside.size());
        elements.push_back(
            {std::string(inside.substr(0, name)), attributes_of(inside.substr(name)), ""});
        if (!is_empty) open.push_back(elements.size() - 1);
    }
    CHECK(open.empty());
    return elements;
}

std::vector<Element> named(std::string_view name, const std::vector<Element>& elements) {
    std::vector<Element> found;
    std::copy_if(elements.begin(), elements.end(), std::back_inserter(found),
                 [&](const Element& element) { return element.name == name; });
    return found;
}

std::string bytes_of_base64(std::string_view text) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    REQUIRE(text.size() % 4 == 0);
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char digit : text.substr(0, text.find('='))) {
        REQUIRE(digits.find(digit) != std::string_view::npos);
        bits = bits << 6 | static_cast<std::uint32_t>(digits.find(digit));
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 0xff);
    }
    return bytes;
}

/// The PNG file in an <image>.
std::string embedded(const Element& image) {
    constexpr std::string_view scheme = "data:image/png;base64,";
    const std::string& link = image.attributes.at("xlink:href");
    REQUIRE(link.starts_with(scheme));
    return bytes_of_base64(std::string_view(link).substr(scheme.size()));
}

/// Returns the PNG file expected for a grid.
std::string png_of(const PlacedGrid& placed, const Figure& figure) {
    Image image = paint(placed.grid, figure.palette, figure.dpi);
    image.is_smooth = !figure.is_bare;
    return encode_png(image, {});
}

double real(const Element& element, const char* attribute) {
    return std::stod(element.attributes.at(attribute));
}

/// Returns the origin of a text: its x and y, or its translation.
std::pair<double, double> origin_of(const Element& text, double length) {
    const std::map<std::string, double> shares{{"start", 0}, {"middle", 0.5}, {"end", 1}};
    const double before = shares.at(text.attributes.at("text-anchor")) * length;
    const auto transform = text.attributes.find("transform");
    if (transform == text.attributes.end()) return {real(text, "x") - before, real(text, "y")};
    REQUIRE(transform->second.starts_with("translate("));
    CHECK(transform->second.ends_with(") rotate(-90)"));
    std::size_t digits = 0;
    const std::string numbers = transform->second.substr(10);
    const double x = std::stod(numbers, &digits);
    return {x, std::stod(numbers.substr(digits)) + before};
}

}  // namespace

TEST_CASE("svg: opens at its size in inches, and lengths in it are pixels") {
    const Element root = parsed(file_of(generated(), {{"figsize", "6.4x4.8"}})).front();
    CHECK(root.name == "svg");
    CHECK(root.attributes.at("xmlns") == "http://www.w3.org/2000/svg");
    CHECK(root.attributes.at("width") == "6.4in");
    CHECK(root.attributes.at("height") == "4.8in");
    CHECK(root.attributes.at("viewBox") == "0 0 640 480");
}

TEST_CASE("svg: every text is a text where the layout has it") {
    for (const char* dpi : {"100", "72", "233"}) {
        const Options options{{"dpi", dpi}};
        const std::vector<PlacedText> placed = compose_figure(generated(), with(options)).texts;
        const std::vector<Element> texts = named("text", parsed(file_of(generated(), options)));
        REQUIRE(texts.size() == placed.size());
        for (std::size_t i = 0; i < texts.size(); ++i) {
            CAPTURE(placed[i].text);
            CHECK(texts[i].text == placed[i].text);
            const TextStyle style = placed[i].style;
            CHECK(texts[i].attributes.at("font-size").ends_with("px"));
            CHECK(real(texts[i], "font-size") ==
                  doctest::Approx(style.points * style.dpi / 72).epsilon(1e-4));
            const auto [x, y] = origin_of(texts[i], text_advance(placed[i].text, style));
            CHECK(std::abs(x - placed[i].x) < 1e-3);
            CHECK(std::abs(y - placed[i].y) < 1e-3);
            const bool is_turned = texts[i].attributes.contains("transform");
            CHECK(is_turned == (placed[i].direction == Direction::upwards));
        }
    }
}

TEST_CASE("svg: slanted names are turned about the middle of the text") {
    Table table = generated();
    for (Axis& axis : table.axes) axis.index_names.assign(60, "because");
    const Options options{{"for", "page"}};
    const Figure figure = compose_figure(table, with(options));
    const auto text = std::ranges::find(figure.texts, Direction::slanted, &PlacedText::direction);
    REQUIRE(text != figure.texts.end());
    const double half = text_advance(text->text, text->style) / 2 / std::sqrt(2.0);
    const std::string file = file_of(table, options);
    const std::size_t end = file.find(") rotate(-45)\"");
    REQUIRE(end != file.npos);
    const std::size_t begin = file.rfind('(', end - 1);
    double x = 0, y = 0;
    std::istringstream(file.substr(begin + 1, end - begin - 1)) >> x >> y;
    CHECK(std::abs(x - (text->x + half)) < 0.01);
    CHECK(std::abs(y - (text->y - half)) < 0.01);
}

TEST_CASE("svg: the lines are those of the layout, on white ground") {
    const std::vector<Box> lines = compose_figure(generated(), with({})).lines;
    const std::vector<Element> shapes = named("rect", parsed(file_of(generated())));
    REQUIRE(shapes.size() == lines.size() + 1);
    CHECK(shapes[0].attributes.at("fill") == "#ffffff");
    CHECK(shapes[0].attributes.at("width") == "1000");
    for (std::size_t i = 0; i < lines.size(); ++i) {
        CHECK(std::abs(real(shapes[i + 1], "x") - lines[i].left) < 1e-3);
        CHECK(std::abs(real(shapes[i + 1], "y") - lines[i].top) < 1e-3);
        CHECK(std::abs(real(shapes[i + 1], "width") - lines[i].width()) < 1e-3);
        CHECK(std::abs(real(shapes[i + 1], "height") - lines[i].height()) < 1e-3);
    }
}

TEST_CASE("svg: a band goes along its upper points and back along its lower ones") {
    const std::vector<Band> bands = compose_figure(generated(), with({{"plot", "offsets"}})).bands;
    const std::vector<Element> shapes =
        named("polygon", parsed(file_of(generated(), {{"plot", "offsets"}})));
    REQUIRE(!bands.empty());
    REQUIRE(shapes.size() == bands.size());
    for (std::size_t i = 0; i < bands.size(); ++i) {
        std::vector<Point> around = bands[i].upper;
        around.insert(around.end(), bands[i].lower.rbegin(), bands[i].lower.rend());
        std::string numbers = shapes[i].attributes.at("points");
        std::ranges::replace(numbers, ',', ' ');
        std::istringstream read(numbers);
        for (const Point& point : around) {
            Point drawn{};
            const bool is_read = static_cast<bool>(read >> drawn.x >> drawn.y);
            REQUIRE(is_read);
            CHECK(std::abs(drawn.x - point.x) < 1e-3);
            CHECK(std::abs(drawn.y - point.y) < 1e-3);
        }
        std::string rest;
        const bool has_more = static_cast<bool>(read >> rest);
        CHECK_FALSE(has_more);
    }
}

TEST_CASE("svg: ground and ink are the theme's, or change with the reader's page") {
    const auto file = [](const Options& options) { return file_of(generated(), options); };
    const std::string dark = file({{"theme", "dark"}});
    CHECK(named("rect", parsed(dark))[0].attributes.at("fill") == "#121212");
    CHECK(dark.find("<g fill=\"#e4e4e4\">") != std::string::npos);
    CHECK(dark.find("<style>") == std::string::npos);
    const std::string automatic = file({{"theme", "auto"}});
    CHECK(named("rect", parsed(automatic))[0].attributes.at("class") == "ground");
    CHECK(automatic.find("<style>@media (prefers-color-scheme: dark) { .ink { fill: #e4e4e4; }") !=
          std::string::npos);
    const std::string transparent = file({{"transparent", "true"}});
    const std::size_t lines = compose_figure(generated(), with({})).lines.size();
    CHECK(named("rect", parsed(transparent)).size() == lines);
    CHECK(file({{"annotate", "true"}}).find(" style=\"fill:#ffffff\">") != std::string::npos);
}

TEST_CASE("svg: heatmap and colour bar are images of their grids, which viewers do not smooth") {
    for (const Options& options :
         {Options{}, Options{{"aspect", "equal"}, {"figsize", "7.123x5.777"}}}) {
        const Figure figure = compose_figure(generated(), with(options));
        const std::vector<Element> images = named("image", parsed(file_of(generated(), options)));
        REQUIRE(images.size() == 2);
        for (std::size_t i = 0; i < 2; ++i) {
            const PlacedGrid& placed = figure.grids[i];
            CHECK(real(images[i], "x") == placed.left);
            CHECK(real(images[i], "y") == placed.top);
            CHECK(real(images[i], "width") == placed.grid.width);
            CHECK(real(images[i], "height") == placed.grid.height);
            CHECK(images[i].attributes.at("style") == "image-rendering:pixelated");
            const bool is_expected = embedded(images[i]) == png_of(placed, figure);
            CHECK(is_expected);
        }
    }
}

TEST_CASE("svg: the images have the colours of the map, none of which make room for greys") {
    const Figure figure = compose_figure(generated(), with({}));
    CHECK(figure.grids[1].grid.indices.front() == 255);
    CHECK(figure.grids[1].grid.indices.back() == 0);
    const std::string file = embedded(named("image", parsed(file_of(generated())))[1]);
    const std::string colours(reinterpret_cast<const char*>(figure.palette.data()), 3 * 256);
    CHECK(file.find("PLTE" + colours) != std::string::npos);
}

TEST_CASE("svg: without axes it is one image") {
    const std::vector<Element> elements =
        parsed(file_of(generated(), {{"cell", "3"}, {"title", "T"}}));
    std::string names;
    for (const Element& element : elements) names += element.name + " ";
    CHECK(names == "svg title metadata image ");
    CHECK(elements[0].attributes.at("viewBox") == "0 0 60 90");
    CHECK(elements[1].text == "T");
    const Figure figure = compose_figure(generated(), with({{"cell", "3"}}));
    const bool is_expected = embedded(elements[3]) == png_of(figure.grids[0], figure);
    CHECK(is_expected);
}

TEST_CASE("svg: texts may have the characters of XML, and spaces") {
    constexpr const char* title = "  a<b  & \"c\" > 'd' ]]> \u2212\u03b8";
    const std::string file = file_of(generated(), {{"title", title}});
    CHECK(file.find("a&lt;b  &amp; &quot;c&quot; &gt; &apos;d&apos; ]]&gt; \u2212\u03b8") !=
          std::string::npos);
    const std::vector<Element> elements = parsed(file);
    CHECK(named("title", elements)[0].text == title);
    CHECK(named("text", elements).back().text == title);
    CHECK(named("g", elements)[1].attributes.at("xml:space") == "preserve");
}

TEST_CASE("svg: names the font that was given, its weight and its slant") {
    using namespace pegen::testing;
    const TemporaryFolder folder;
    Tables tables = common_tables('A', "R&D 'Sans'");
    const std::string bold_italic =
        std::string(4, '\0') + u16(700) + std::string(56, '\0') + u16(1);
    tables.emplace_back("OS/2", bold_italic);
    tables.emplace_back("CFF ", cff_table({.program = square_program()}));
    put(folder.path("a.otf"), assembled("OTTO", tables, 0));
    const std::string file = file_of(generated(), {{"font", folder.path("a.otf")}});
    CHECK(file.find("<g font-family=\"'R&amp;D Sans', 'DejaVu Sans', sans-serif\" "
                    "font-weight=\"700\" font-style=\"italic\" ") != std::string::npos);
}

TEST_CASE("svg: characters that no font here has are the viewer's") {
    const std::string file = file_of(generated(), {{"title", "位置"}, {"font", "builtin"}});
    CHECK(file.find(">位置</text>") != std::string::npos);
    CHECK_THROWS_AS(file_of(generated(), {{"title", "שלום"}}), UsageError);
}

TEST_CASE("svg: what XML cannot hold is refused in a figure and left out of a bare one's title") {
    CHECK_THROWS_AS(file_of(generated(), {{"title", "a\x01"}}), UsageError);
    CHECK_THROWS_AS(file_of(generated(), {{"title", "a\xff"}}), UsageError);
    const Options bare{{"no-axes", "true"}, {"title", "a\x01\x7f\r\n\ufffe<b"}};
    CHECK(named("title", parsed(file_of(generated(), bare)))[0].text == "a\x7f\r\n<b");
    CHECK_THROWS_AS(file_of(generated(), {{"no-axes", "true"}, {"title", "\xff"}}), UsageError);
}

TEST_CASE("svg: without a title there is no element for it") {
    CHECK(named("title", parsed(file_of(generated(), {{"title", ""}}))).empty());
}

TEST_CASE("svg: carries the provenance as JSON in ASCII") {
    const Element metadata = named("metadata", parsed(file_of(generated()))).at(0);
    CHECK(metadata.attributes.at("id") == "pe-gen");
    CHECK(metadata.text ==
          "{\"encoding\":\"sinusoid\",\"table\":\"table\",\"parameters\":{\"len\":30,"
          "\"note\":\"<\\u03b8>\"},\"dtype\":\"float64\"}");
    Table table = generated();
    table.provenance = {};
    CHECK(named("metadata", parsed(file_of(table))).empty());
}

TEST_CASE("svg: the same bytes for the same input and any number of threads") {
    const int threads = thread_count();
    const std::string many = file_of(generated());
    limit_threads(1);
    CHECK(file_of(generated()) == many);
    limit_threads(threads);
}

TEST_CASE("svg: takes no rows, may be shown on a terminal, and has the options of PNG") {
    const bool takes_rows = formats::svg.append_rows != nullptr;
    CHECK_FALSE(takes_rows);
    CHECK_FALSE(formats::svg.is_binary);
    const bool shares_options =
        formats::svg.parameters().data() == formats::png.parameters().data();
    CHECK(shares_options);
}

#include <doctest/doctest.h>

#include <algorithm>

#include "core/error.h"
#include "core/names.h"
#include "encodings/table_of.h"
#include "figure/fake_table.h"
#include "figure/options.h"
#include "formats/png.h"
#include "formats/show.h"
#include "formats/shown_pictures.h"

using namespace pegen;

namespace {

Table ramp(std::int64_t rows, std::int64_t columns) {
    return table_from(rows, columns,
                      [](std::int64_t row, std::int64_t) { return static_cast<double>(row); });
}

std::string shown(const Table& table, const Options& options) {
    return formats::show.draw(table, with(options)).file;
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        lines.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

}  // namespace

TEST_CASE("show: has title, labels and ticks in the lines around the heatmap") {
    const std::vector<std::string> lines = lines_of(shown(ramp(10, 3), {{"show-size", "60x14"}}));
    REQUIRE(lines.size() == 14);
    CHECK(lines[0].find("Positional Encoding") != std::string::npos);
    CHECK(lines[1].starts_with("Sequence Position(max_len)"));
    CHECK(lines[2].starts_with("     0 "));
    CHECK(lines[2].ends_with(" 9") == false);
    CHECK(lines[12].find("0") != std::string::npos);
    CHECK(lines[13].find("Embedding Dimension(d_model)") != std::string::npos);
}

TEST_CASE("show: the x axis has a tick for each 8 columns at most") {
    const auto ticks = [](const char* size) {
        const Table table = table_of("sinusoid --d 50 --len 4");
        return joined(words(lines_of(shown(table, {{"show-size", size}}))[7]), " ");
    };
    CHECK(ticks("40x9") == "0 25");
    CHECK(ticks("41x9") == "0 20 40");
    CHECK(ticks("57x9") == "0 20 40");
    CHECK(ticks("58x9") == "0 10 20 30 40");
}

TEST_CASE("show: characters have no room for --annotate, and a note says so") {
    const Drawing drawing = formats::show.draw(ramp(3, 3), with({{"annotate", "true"}}));
    CHECK(drawing.file == shown(ramp(3, 3), {}));
    REQUIRE(drawing.notes.size() == 1);
    CHECK(drawing.notes.front().starts_with("--annotate: "));
    CHECK(formats::show.draw(ramp(3, 3), with({})).notes.empty());
}

TEST_CASE("show: is never wider or higher than --show-size") {
    for (const char* size : {"1x1", "5x3", "24x8", "39x9", "40x7", "200x50"}) {
        CAPTURE(size);
        const std::string text = shown(ramp(100, 100), {{"show-size", size}});
        const auto columns = static_cast<std::size_t>(std::atoi(size));
        const auto lines = static_cast<std::size_t>(
            std::atoi(std::string(size).substr(std::string(size).find('x') + 1).c_str()));
        CHECK(lines_of(text).size() == lines);
        for (const std::string& line : lines_of(text)) CHECK(line.size() <= columns);
    }
}

TEST_CASE("show: long labels of the x axis begin in the first column and end in the last") {
    const Table table = table_of("sinusoid --d 2 --len 41 --start 9007199254740000");
    const std::string labels = lines_of(
        shown(table, {{"transpose", "true"}, {"no-colorbar", "true"}, {"show-size", "60x12"}}))[10];
    CHECK(labels.starts_with("9007199254740000 "));
    CHECK(labels.ends_with(" 9007199254740040"));
    CHECK(labels.size() == 60);
}

TEST_CASE("show: a bare heatmap of an odd number of rows ends in half a line") {
    const std::vector<std::string> lines =
        lines_of(shown(ramp(5, 4), {{"no-axes", "true"}, {"show-colours", "truecolor"}}));
    REQUIRE(lines.size() == 3);
    CHECK(lines[2].find("\u2580") != std::string::npos);
}

TEST_CASE("show: colours are those of --show-colours") {
    const Table table = ramp(10, 10);
    CHECK(shown(table, {}).find('\x1b') == std::string::npos);
    CHECK(shown(table, {{"show-colours", "truecolor"}}).find("\x1b[48;2;") != std::string::npos);
    CHECK(shown(table, {{"show-colours", "256"}}).find("\x1b[48;5;") != std::string::npos);
}

TEST_CASE("show: curves are drawn on the terminal's ground") {
    const std::string text = shown(
        ramp(10, 1), {{"plot", "waves"}, {"show-colours", "truecolor"}, {"show-size", "60x14"}});
    CHECK(text.find("38;2;31;119;180") != std::string::npos);
    CHECK(text.find("255;255;255") == std::string::npos);
}

TEST_CASE("show: shares the options of PNG") {
    const bool shares_options =
        formats::show.parameters().data() == formats::png.parameters().data();
    CHECK(shares_options);
}

TEST_CASE("show: a picture is the figure of the window's size, texts as large as the terminal's") {
    const Table table = table_of("sinusoid --d 32 --len 64");
    for (const char* as : {"kitty", "iterm2", "sixel"}) {
        CAPTURE(as);
        const auto picture = testing::picture_in(
            shown(table, {{"show-as", as}, {"show-size", "80x23"}, {"show-cell", "9x18"}}), as);
        CHECK(picture.width == 720);
        CHECK(picture.height == 414);
        CHECK(picture.rest == "\n");
        if (picture.columns > 0) CHECK(picture.columns == 80);
        if (picture.lines > 0) CHECK(picture.lines == 23);
        if (std::string_view(as) == "sixel") continue;
        const std::string png =
            formats::png.draw(table, with({{"figsize", "8x4.6"}, {"dpi", "90"}, {"tight", "true"}}))
                .file;
        const bool is_same = picture.pixels == testing::picture_of_png(png).pixels;
        CHECK(is_same);
    }
}

TEST_CASE("show: a picture in a high window has the proportions of a figure") {
    const auto picture = testing::picture_in(
        shown(ramp(10, 10), {{"show-as", "kitty"}, {"show-size", "60x90"}}), "kitty");
    CHECK(picture.width == 600);
    CHECK(picture.height == 480);
}

TEST_CASE("show: a picture with --for is that figure, as large as there is room") {
    const auto picture = testing::picture_in(
        shown(ramp(10, 10),
              {{"show-as", "iterm2"}, {"show-size", "70x20"}, {"for", "two-columns"}}),
        "iterm2");
    CHECK(picture.width == 700);
    CHECK(picture.height == 280);
    const auto column = testing::picture_in(
        shown(ramp(10, 10), {{"show-as", "iterm2"}, {"show-size", "70x20"}, {"for", "column"}}),
        "iterm2");
    CHECK(column.height == 400);
    CHECK(column.width == 600);
    CHECK(column.columns == 60);
}

TEST_CASE("show: a picture of a bare heatmap has a pixel for each value, and fits") {
    const auto size_of = [](const Options& options) {
        Options all{{"show-as", "kitty"}, {"show-size", "10x5"}, {"show-cell", "8x15"}};
        all.insert(all.end(), options.begin(), options.end());
        const auto picture = testing::picture_in(shown(ramp(50, 40), all), "kitty");
        return std::pair(picture.width, picture.height);
    };
    CHECK(size_of({{"no-axes", "true"}}) == std::pair(40, 50));
    CHECK(size_of({{"cell", "2"}}) == std::pair(80, 74));
}

TEST_CASE("show: a picture has the numbers of --annotate and the colours of --theme") {
    const auto first_pixel = [](const char* theme) {
        const auto picture = testing::picture_in(
            shown(ramp(3, 3), {{"show-as", "kitty"}, {"annotate", "true"}, {"theme", theme}}),
            "kitty");
        return picture.pixels.front();
    };
    CHECK(first_pixel("light") == Rgb{255, 255, 255});
    CHECK(first_pixel("dark") == Rgb{0x12, 0x12, 0x12});
    CHECK_THROWS_AS(first_pixel("auto"), UsageError);
}

TEST_CASE("show: blocks, if the terminal's picture cannot be drawn, unless it was asked for") {
    const Table table = ramp(3, 3);
    const char* const hebrew = "\u05e9\u05dc\u05d5\u05dd";
    CHECK_THROWS_AS(shown(table, {{"title", hebrew}, {"show-as", "kitty"}}), UsageError);
    Parameters parameters = with({{"title", hebrew}});
    parameters.resolve("show-as", std::string("kitty"));
    const std::string text = formats::show.draw(table, parameters).file;
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find(hebrew) != std::string::npos);
}

TEST_CASE("show: options that have no effect with --show-as are refused") {
    const Table table = ramp(3, 3);
    CHECK_THROWS_WITH_AS(shown(table, {{"show-as", "sixel"}, {"show-colours", "256"}}),
                         "--show-colours: has no effect on --show-as sixel", UsageError);
    CHECK_THROWS_WITH_AS(shown(table, {{"show-as", "blocks"}, {"show-cell", "9x18"}}),
                         "--show-cell: has no effect on --show-as blocks", UsageError);
}

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.h"
#include "encodings/registry.h"
#include "figure/options.h"
#include "figure/paint.h"
#include "files/deflate.h"
#include "formats/animation.h"
#include "formats/png.h"
#include "formats/svg.h"

using namespace pegen;

namespace {

Table sinusoid() {
    const Encoding& encoding = *find_encoding("sinusoid");
    Parameters parameters(encoding.parameters);
    parameters.set("d", "8", Origin::user);
    parameters.set("len", "20", Origin::user);
    return make_table(encoding, encoding.tables.front(), parameters, DType::float32);
}

Options animated(std::string_view course, Options others = {}) {
    others.insert(others.begin(), {{"figsize", "5x4"}, {"dpi", "60"}, {"animate", course}});
    return others;
}

std::string png_of(const Table& table, const Options& options) {
    return formats::png.draw(table, with(options)).file;
}

/// Returns the message of the refusal of these options; "" if there is none.
std::string refusal(const Options& options) {
    try {
        png_of(sinusoid(), options);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

std::uint32_t number_at(std::string_view bytes, std::size_t place) {
    std::uint32_t number = 0;
    for (const char byte : bytes.substr(place, 4)) {
        number = number << 8 | static_cast<unsigned char>(byte);
    }
    return number;
}

struct Chunk {
    std::string type;
    std::string content;
};

std::vector<Chunk> chunks_of(std::string_view file) {
    std::vector<Chunk> chunks;
    for (std::size_t at = 8; at < file.size(); at += 12 + number_at(file, at)) {
        chunks.push_back({std::string(file.substr(at + 4, 4)),
                          std::string(file.substr(at + 8, number_at(file, at)))});
    }
    return chunks;
}

std::string only(const std::vector<Chunk>& chunks, std::string_view type) {
    CHECK(std::ranges::count(chunks, type, &Chunk::type) == 1);
    return std::ranges::find(chunks, type, &Chunk::type)->content;
}

/// The pictures of an animated PNG, as places in the palette, and their times in milliseconds.
struct Played {
    std::uint32_t width = 0, height = 0;
    std::vector<std::string> pictures{};
    std::vector<int> times{};
};

/// Paints the rows of a frame over the picture, after undoing their filters.
void paint_over(std::string& picture, std::uint32_t width, std::string_view control,
                std::string_view stream) {
    const std::size_t across = number_at(control, 4), down = number_at(control, 8);
    const std::size_t left = number_at(control, 12), top = number_at(control, 16);
    std::string rows = inflated(stream, (across + 1) * down).value();
    for (std::size_t y = 0; y < down; ++y) {
        const std::size_t row = y * (across + 1);
        for (std::size_t x = 1; x <= across; ++x) {
            if (rows[row] == 2 && y > 0) {
                rows[row + x] = static_cast<char>(rows[row + x] + rows[row + x - across - 1]);
            }
            picture[(top + y) * width + left + x - 1] = rows[row + x];
        }
    }
}

Played played(std::string_view file) {
    const std::vector<Chunk> chunks = chunks_of(file);
    Played all{number_at(only(chunks, "IHDR"), 0), number_at(only(chunks, "IHDR"), 4)};
    std::string picture(std::size_t{all.width} * all.height, '\0'), control;
    std::uint32_t number = 0;
    for (const Chunk& chunk : chunks) {
        if (chunk.type == "fcTL" || chunk.type == "fdAT") {
            CHECK(number_at(chunk.content, 0) == number++);
        }
        if (chunk.type == "fcTL") {
            control = chunk.content;
            CHECK((number_at(control, 20) & 0xffff) == 1000);
            CHECK(control.substr(24) == std::string(2, '\0'));
            all.times.push_back(static_cast<int>(number_at(control, 20) >> 16));
        } else if (chunk.type == "IDAT" || chunk.type == "fdAT") {
            paint_over(picture, all.width, control,
                       std::string_view(chunk.content).substr(chunk.type == "fdAT" ? 4 : 0));
            all.pictures.push_back(picture);
        }
    }
    CHECK(number_at(only(chunks, "acTL"), 0) == all.pictures.size());
    return all;
}

/// Returns how the titles of the frames end, without the spaces that make them equally wide.
std::vector<std::string> values(const Options& options) {
    std::vector<std::string> all;
    draw_frames(sinusoid(), with(options), Texts::drawn, [&](const Frame& frame) {
        std::string value = frame.figure.title.substr(frame.title.size());
        for (const std::string_view space : {"\u2007", "\u2008"}) {
            while (value.find(space) != value.npos) value.erase(value.find(space), space.size());
        }
        all.push_back(value);
    });
    return all;
}

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
}

}  // namespace

TEST_CASE("animation: an APNG has a frame for each value, and lasts as long as it says") {
    const Played all =
        played(png_of(sinusoid(), animated("base=10..1e4", {{"fps", "7"}, {"seconds", "1"}})));
    CHECK(all.pictures.size() == 7);
    CHECK(all.times == std::vector<int>{142, 143, 143, 143, 143, 143, 143});
}

TEST_CASE(
    "animation: each frame is the still of its value, with the title and limits of the whole") {
    const Options options = animated("base=10..1e4", {{"fps", "1"}, {"seconds", "4"}});
    const std::string file = png_of(sinusoid(), options);
    const Played all = played(file);
    Limits limits = no_limits;
    std::vector<std::string> titles;
    draw_frames(sinusoid(), with(options), Texts::drawn, [&](const Frame& frame) {
        limits = merge(limits, frame.figure.of_values);
        titles.push_back(frame.figure.title);
    });
    REQUIRE(all.pictures.size() == 4);
    const std::vector<std::string> bases{"10", "100", "1000", "10000"};
    for (std::size_t i = 0; i < bases.size(); ++i) {
        Parameters figure = with({{"figsize", "5x4"}, {"dpi", "60"}, {"title", titles[i]}});
        figure.resolve("vmin", limits.low);
        figure.resolve("vmax", limits.high);
        const Image still =
            draw_figure(sinusoid().sibling({.parameter = "base", .value = bases[i]}), figure);
        const std::string pixels(still.pixels.begin(), still.pixels.end());
        CHECK(all.pictures[i] == pixels);
        if (i > 0) continue;
        const std::vector<Chunk> moving = chunks_of(file), alone = chunks_of(encode_png(still, {}));
        CHECK(only(moving, "IDAT") == only(alone, "IDAT"));
        CHECK(only(moving, "PLTE") == only(alone, "PLTE"));
    }
}

TEST_CASE("animation: the same bytes each time") {
    const Options options = animated("base=10..1e4", {{"fps", "1"}, {"seconds", "3"}});
    CHECK(png_of(sinusoid(), options) == png_of(sinusoid(), options));
}

TEST_CASE("animation: values are rounded and spaced by factors if the ends are far apart") {
    CHECK(values(animated("base=10..1e4", {{"fps", "1"}, {"seconds", "6"}})) ==
          std::vector<std::string>{", base = 10", ", base = 40", ", base = 160", ", base = 630",
                                   ", base = 2,500", ", base = 10,000"});
    CHECK(values(animated("base=100..200", {{"fps", "1"}, {"seconds", "5"}})) ==
          std::vector<std::string>{", base = 100", ", base = 125", ", base = 150", ", base = 175",
                                   ", base = 200"});
    CHECK(values(animated("base=200..100", {{"fps", "1"}, {"seconds", "3"}})) ==
          std::vector<std::string>{", base = 200", ", base = 150", ", base = 100"});
    CHECK(values(animated("out-scale=-1..1", {{"fps", "1"}, {"seconds", "3"}})) ==
          std::vector<std::string>{", out_scale = \u22121", ", out_scale = 0", ", out_scale = 1"});
}

TEST_CASE("animation: all titles are equally wide") {
    std::vector<double> widths;
    draw_frames(sinusoid(), with(animated("base=10..1e6", {{"fps", "1"}, {"seconds", "9"}})),
                Texts::drawn, [&](const Frame& frame) {
                    for (const PlacedText& text : frame.figure.texts) {
                        if (text.role != TextRole::title) continue;
                        widths.push_back(text_advance(text.text, text.style));
                    }
                });
    REQUIRE(widths.size() >= 9);
    CHECK(std::ranges::count(widths, widths.back()) >= 9);
}

TEST_CASE("animation: a title that says the value says it once") {
    const auto titles = [](std::string_view table, std::string_view course, Options options) {
        const Encoding& encoding = *find_encoding(table);
        const Parameters parameters(encoding.parameters);
        options.push_back({"animate", course});
        options.push_back({"fps", "1"});
        options.push_back({"seconds", "2"});
        std::vector<std::string> all;
        draw_frames(make_table(encoding, encoding.tables.front(), parameters, DType::float32),
                    with(options), Texts::drawn, [&](const Frame& frame) {
                        all.push_back(frame.title);
                        all.push_back(frame.figure.title);
                    });
        return all;
    };
    CHECK(titles("sinusoid", "base=10..20", {{"plot", "wavelengths"}}) ==
          std::vector<std::string>{
              "Wavelengths (d_model=512)", "Wavelengths (d_model=512), base = 10",
              "Wavelengths (d_model=512)", "Wavelengths (d_model=512), base = 20"});
    const auto of_fire = [&](std::string_view course) {
        return titles("fire", course, {{"select", "0"}}).at(1);
    };
    CHECK(of_fire("threshold=1..10").starts_with("FIRE (heads=8, c=0.1, max_len="));
    CHECK(of_fire("c=1..10").starts_with("FIRE (heads=8, threshold=512, max_len="));
}

TEST_CASE("animation: a whole number is drawn once, for all its time") {
    const Encoding& encoding = *find_encoding("t5");
    Parameters parameters(encoding.parameters);
    parameters.set("len", "40", Origin::user);
    const Table table =
        make_table(encoding, encoding.tables.front(), parameters, encoding.tables.front().dtype);
    const Played all =
        played(png_of(table, animated("max-distance=40..43", {{"fps", "10"}, {"seconds", "0.8"}})));
    CHECK(all.times == std::vector<int>{200, 200, 200, 200});
}

TEST_CASE("animation: every kind of picture has the same axes in all frames") {
    for (const std::string_view plot : {"waves", "similarity", "offsets", "wavelengths", "norms"}) {
        CAPTURE(plot);
        CHECK(refusal(animated("base=10..1e4", {{"fps", "1"}, {"seconds", "3"}, {"plot", plot}})) ==
              "");
    }
    CHECK(
        refusal(animated("base=10..1e4", {{"fps", "1"}, {"seconds", "3"}, {"no-axes", "true"}})) ==
        "--figsize: has no effect on a bare heatmap; leave it out, or --no-axes and --cell");
}

TEST_CASE("animation: what cannot run is refused") {
    CHECK(refusal(animated("len=10..100"))
              .ends_with("changes the shape of the table from (10, 8) to (100, 8); only a "
                         "parameter that keeps it "
                         "can run"));
    CHECK(refusal(animated("start=0..100"))
              .ends_with("changes the axes, which stay in an animation"));
    CHECK(refusal(animated("bsae=1..2")).find("did you mean 'base'?") != std::string::npos);
    CHECK(refusal(animated("layout=1..2")).ends_with("layout is not a number, so it cannot run"));
    CHECK(refusal(animated("len=1.5..2")).ends_with("len is a whole number"));
    CHECK(refusal(animated("base=10..10")).ends_with("begins where it ends, so nothing would run"));
    CHECK(refusal(animated("base=10")).ends_with("must be NAME=FROM..TO, as in base=10..1e6"));
    for (const std::string_view course : {"10..20", "=10..20", "base=..20", "base=10.."}) {
        CHECK(refusal(animated(course)).ends_with("must be NAME=FROM..TO, as in base=10..1e6"));
    }
    CHECK(refusal(animated("base=nan..20")).ends_with("must be finite"));
    CHECK(refusal(animated("base=10..inf")).ends_with("must be finite"));
    CHECK(refusal(animated("base=0..1e6")).starts_with("--base 0"));
    CHECK(refusal(animated("base=10..20", {{"limits", "own"}})).starts_with("--limits own: not"));
    CHECK(refusal({{"fps", "3"}}) == "--fps: is for --animate");
    CHECK(refusal({{"seconds", "3"}}) == "--seconds: is for --animate");
}

TEST_CASE("animation: a table that no parameters made is refused") {
    Table table = sinusoid();
    table.sibling = nullptr;
    CHECK_THROWS_WITH_AS(png_of(table, animated("base=10..20")),
                         "--animate base=10..20: this table has no parameters that could run",
                         UsageError);
}

TEST_CASE("animation: an APNG has one list of colours") {
    Table table = sinusoid();
    table.sibling = [sibling = table.sibling](const Sibling& wanted) {
        Table made = sibling(wanted);
        const RowSource nan = [](RowRange, std::span<std::byte> out) {
            std::ranges::fill(out, std::byte{0xff});
        };
        if (wanted.value == "20") made.rows = rows_like(made, nan);
        return made;
    };
    const Options options =
        animated("base=10..20", {{"fps", "1"}, {"seconds", "2"}, {"plot", "norms"}});
    CHECK_THROWS_WITH_AS(png_of(table, options),
                         "--animate base=10..20: changes the number of curves, and a PNG has one "
                         "list of their colours; use --svg",
                         UsageError);
    CHECK_NOTHROW(formats::svg.draw(table, with(options)));
}

TEST_CASE("animation: files that differ in a later frame are not the same picture") {
    const std::string a =
        png_of(sinusoid(), animated("base=10..1e4", {{"fps", "1"}, {"seconds", "3"}}));
    CHECK(formats::png.says_the_same(a, a));
    std::string b = a;
    // The time of the last frame, with its checksum, is taken from a slower animation.
    const std::string slow =
        png_of(sinusoid(), animated("base=10..1e4", {{"fps", "1"}, {"seconds", "3.2"}}));
    const std::size_t control = b.rfind("fcTL");
    b.replace(control, 34, slow.substr(slow.rfind("fcTL"), 34));
    CHECK_FALSE(formats::png.says_the_same(a, b));
    CHECK_FALSE(
        formats::png.says_the_same(a, png_of(sinusoid(), {{"figsize", "5x4"}, {"dpi", "60"}})));
}

TEST_CASE("animation: an SVG draws its axes once and shows the frames in turn") {
    const std::string still =
        formats::svg.draw(sinusoid(), with({{"figsize", "5x4"}, {"dpi", "60"}})).file;
    const std::string moving =
        formats::svg
            .draw(sinusoid(), with(animated("base=10..1e4", {{"fps", "2"}, {"seconds", "2"}})))
            .file;
    CHECK(count(moving, "<rect") == count(still, "<rect"));
    CHECK(count(moving, ">Embedding") == 1);
    CHECK(count(moving, "<image") == 1 + 4);
    CHECK(count(moving, "base = ") == 4);
    CHECK(count(moving, "<animate ") == 2 * 4);
    CHECK(count(moving, "<g visibility=\"hidden\">") == 2 * 3);
    CHECK(
        count(
            moving,
            R"(dur="2000ms" repeatCount="indefinite" values="visible;hidden" keyTimes="0;0.25")") ==
        2);
    CHECK(count(moving, R"(values="hidden;visible;hidden" keyTimes="0;0.25;0.5")") == 2);
    CHECK(count(moving, R"(values="hidden;visible" keyTimes="0;0.75")") == 2);
}

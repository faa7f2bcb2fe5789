#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "figure/fake_table.h"
#include "figure/figure.h"
#include "figure/options.h"
#include "figure/paint.h"
#include "figure/purpose.h"
#include "files/temporary_folder.h"

using namespace pegen;

namespace {

Table sinusoid() {
    Table table = table_from(400, 128, [](auto row, auto column) {
        return std::sin(static_cast<double>(row * column));
    });
    table.title = "Positional Encoding (d_model=128, max_len=400)";
    return table;
}

/// Returns the share of a figure's area that its cells have.
double share_of_data(const Figure& figure) {
    const PixelArea& panel = figure.panels.front();
    return static_cast<double>(panel.width) * panel.height / figure.width / figure.height;
}

double points_of(const Figure& figure, TextRole role) {
    return std::ranges::find(figure.texts, role, &PlacedText::role)->style.points;
}

}  // namespace

TEST_CASE("purpose: --for stands for its options, unless they are given") {
    for (const Purpose& purpose : all_purposes()) {
        CAPTURE(purpose.name);
        Parameters meant(figure_parameters());
        meant.set_all(purpose.settings, Origin::user);
        const Parameters chosen = for_purpose(with({{"for", purpose.name}}));
        for (const char* const name : {"figsize", "font-size", "dpi"}) {
            CHECK(chosen.value(name) == meant.value(name));
        }
        const Parameters own = for_purpose(with({{"for", purpose.name}, {"font-size", "5"}}));
        CHECK(own.real("font-size") == 5);
        CHECK(own.value("figsize") == meant.value("figsize"));
        const Figure figure = compose_figure(sinusoid(), with({{"for", purpose.name}}));
        CHECK(figure.left_out.empty());
        CHECK(figure.dpi == meant.real("dpi"));
    }
    const double share = share_of_data(compose_figure(sinusoid(), with({{"for", "readme"}})));
    CHECK(share > 0.68);
    CHECK(for_purpose(with({})).value("figsize") == with({}).value("figsize"));
}

TEST_CASE("purpose: docs/figures.md has the table of all") {
    const std::string page = pegen::testing::content(PEGEN_SOURCE_DIR "/docs/figures.md");
    for (const Purpose& purpose : all_purposes()) {
        CHECK(page.find(fmt::format("| `{}` | `{}` | {} |", purpose.name, purpose.settings,
                                    purpose.summary)) != std::string::npos);
    }
}

TEST_CASE("purpose: a column of a paper gives half of its area to the data, a slide more") {
    CHECK(share_of_data(compose_figure(sinusoid(), with({{"for", "column"}}))) > 0.48);
    CHECK(share_of_data(compose_figure(sinusoid(), with({{"for", "slide"}}))) > 0.55);
    const Figure usual = compose_figure(sinusoid(), with({}));
    const Figure tight = compose_figure(sinusoid(), with({{"tight", "true"}}));
    CHECK(share_of_data(tight) > share_of_data(usual) + 0.1);
    CHECK(points_of(tight, TextRole::x_tick) == points_of(usual, TextRole::x_tick));
}

TEST_CASE("font size: labels have it, the title is larger, lines and ticks follow") {
    for (const auto& [text, points] : {std::pair{"5", 5.0}, std::pair{"20", 20.0}}) {
        const Figure figure =
            compose_figure(sinusoid(), with({{"font-size", text}, {"figsize", "16x12"}}));
        CHECK(points_of(figure, TextRole::x_label) == points);
        CHECK(points_of(figure, TextRole::y_tick) == points);
        CHECK(points_of(figure, TextRole::title) == doctest::Approx(1.2 * points));
        double thinnest = 1000;
        for (const Box& line : figure.lines) {
            thinnest = std::min({thinnest, line.width(), line.height()});
        }
        CHECK(thinnest == doctest::Approx(0.08 * points * 100 / 72));
    }
}

TEST_CASE("font size: texts that do not fit are left out, or refused if they were given") {
    const Options small{{"font-size", "30"}, {"figsize", "3x2"}};
    const Figure figure = compose_figure(sinusoid(), with(small));
    CHECK_FALSE(figure.left_out.empty());
    const bool says_so = std::ranges::any_of(figure.notes, [](const std::string& note) {
        return note.find("or --font-size smaller") != note.npos;
    });
    CHECK(says_so);
    Options titled = small;
    titled.emplace_back("title", "A long title of a small figure");
    CHECK_THROWS_AS(compose_figure(sinusoid(), with(titled)), UsageError);
}

TEST_CASE("purpose: the colour bar of a figure of its own size has few numbers") {
    const auto numbers = [](const Options& options) {
        std::string all;
        for (const PlacedText& text : compose_figure(sinusoid(), with(options)).texts) {
            if (text.role == TextRole::colorbar_tick) all += text.text + " ";
        }
        return all;
    };
    CHECK(numbers({{"for", "readme"}, {"vmin", "-1"}, {"vmax", "1"}}) == "−1.0 −0.5 0.0 0.5 1.0 ");
    CHECK(numbers({{"vmin", "-1"}, {"vmax", "1"}}).find("0.25") != std::string::npos);
}

TEST_CASE("purpose: a title that nobody gave fits the axes, and labels are short") {
    const auto text_of = [](const Options& options, TextRole role) {
        const Figure figure = compose_figure(sinusoid(), with(options));
        return std::ranges::find(figure.texts, role, &PlacedText::role)->text;
    };
    const std::string whole = "Positional Encoding (d_model=128, max_len=400)";
    CHECK(text_of({{"for", "column"}}, TextRole::title) == "Positional Encoding (d_model=128)");
    CHECK(text_of({{"for", "column"}}, TextRole::y_label) == "Position");
    CHECK(text_of({{"for", "readme"}}, TextRole::title) == whole);
    CHECK(text_of({{"for", "readme"}}, TextRole::y_label) == "Position");
    CHECK(text_of({}, TextRole::y_label) == "Sequence Position(max_len)");
    CHECK(text_of({{"for", "column"}, {"title", whole}}, TextRole::title) == whole);
    CHECK(text_of({{"for", "column"}, {"ylabel", "Sequence Position(max_len)"}},
                  TextRole::y_label) == "Sequence Position(max_len)");
    CHECK(compose_figure(sinusoid(), with({{"for", "column"}})).title == whole);
}

TEST_CASE("purpose: long names of rows and columns are shortened, and leave room for the axes") {
    Table table =
        table_from(3, 3, [](auto row, auto column) { return static_cast<double>(row - column); });
    const std::string word = "Donaudampfschifffahrtsgesellschaftskapitaenswitwe";
    for (Axis& axis : table.axes) axis.index_names = {word, "b", "c"};
    for (const char* purpose : {"column", "slide"}) {
        CAPTURE(purpose);
        const Figure figure = compose_figure(table, with({{"for", purpose}}));
        CHECK(share_of_data(figure) > 0.25);
        for (const TextRole role : {TextRole::x_tick, TextRole::y_tick}) {
            const auto name = std::ranges::find_if(figure.texts, [&](const PlacedText& text) {
                return text.role == role && text.text.starts_with("Donau");
            });
            REQUIRE(name != figure.texts.end());
            CHECK(name->text.ends_with("..."));
        }
    }
}

TEST_CASE("purpose: curves run from one edge of the axes to the other") {
    const auto ends = [](const Options& options) {
        Options all = options;
        all.insert(all.end(), {{"plot", "waves"}, {"channels", "0"}});
        const Figure figure = compose_figure(sinusoid(), with(all));
        const Curve& curve = *std::ranges::max_element(
            figure.curves, {}, [](const Curve& one) { return one.points.size(); });
        double left = figure.width, right = 0;
        for (const Box& line : figure.lines) {
            if (line.height() < figure.height / 2.0) continue;
            left = std::min(left, line.left);
            right = std::max(right, line.right);
        }
        return Point{curve.points.front().x - left, right - curve.points.back().x};
    };
    CHECK(std::fabs(ends({{"for", "column"}}).x) < 4);
    CHECK(std::fabs(ends({{"for", "column"}}).y) < 4);
    CHECK(ends({}).x > 20);
}

TEST_CASE("purpose: an end of the colours near a multiple of the step is moved there") {
    const Table table = table_of({{-0.99, 0}, {0.5, 1}});
    const auto numbers = [&](const Options& options) {
        std::string all;
        for (const PlacedText& text : compose_figure(table, with(options)).texts) {
            if (text.role == TextRole::colorbar_tick) all += text.text + " ";
        }
        return all;
    };
    CHECK(numbers({{"for", "readme"}}) == "−1.0 −0.5 0.0 0.5 1.0 ");
    CHECK(numbers({{"for", "readme"}, {"vmin", "-0.99"}}) == "−0.5 0.0 0.5 1.0 ");
    CHECK_FALSE(numbers({}).starts_with("−1"));
}

TEST_CASE("purpose: words that have no room side by side are slanted") {
    Table table = table_from(10, 10, [](auto row, auto) { return static_cast<double>(row); });
    for (Axis& axis : table.axes) axis.index_names.assign(10, "because");
    const auto direction = [&](const Options& options) {
        const Figure figure = compose_figure(table, with(options));
        return std::ranges::find(figure.texts, TextRole::x_tick, &PlacedText::role)->direction;
    };
    CHECK(direction({{"for", "column"}}) == Direction::slanted);
    CHECK(direction({{"for", "readme"}}) == Direction::rightwards);
    CHECK(direction({{"for", "column"}, {"figsize", "2.2x2"}}) == Direction::upwards);
    CHECK(direction({{"figsize", "5x4"}}) == Direction::upwards);
}

TEST_CASE("purpose: all words of a short text stand on the axes, turned below") {
    Table table = table_from(10, 10, [](auto row, auto) { return static_cast<double>(row); });
    for (Axis& axis : table.axes) {
        axis.index_names = {"the", "cat",     "sat", "on",  "the",
                            "mat", "because", "it",  "was", "warm"};
    }
    for (const Purpose& purpose : all_purposes()) {
        CAPTURE(purpose.name);
        const Figure figure = compose_figure(table, with({{"for", purpose.name}}));
        CHECK(std::ranges::count(figure.texts, TextRole::x_tick, &PlacedText::role) == 10);
        CHECK(std::ranges::count(figure.texts, TextRole::y_tick, &PlacedText::role) == 10);
    }
}

TEST_CASE("annotate: each cell has its value in the middle, black or white") {
    const Table table = table_of({{0, 0.125, -0.001}, {1, 0.5, NAN}});
    const Figure figure = compose_figure(table, with({{"annotate", "true"}, {"cmap", "gray"}}));
    std::vector<PlacedText> cells;
    for (const PlacedText& text : figure.texts) {
        if (text.role == TextRole::cell) cells.push_back(text);
    }
    REQUIRE(cells.size() == 6);
    std::vector<std::string> texts;
    for (const PlacedText& cell : cells) texts.push_back(cell.text);
    CHECK(joined(texts, " ") == "0.00 0.12 0.00 1.00 0.50 nan");
    CHECK(cells[0].colour == Rgb{255, 255, 255});
    CHECK(cells[3].colour == Rgb{0, 0, 0});
    CHECK_FALSE(cells[5].colour);
    const PixelArea& panel = figure.panels.front();
    const double middle = cells[4].x + text_advance(cells[4].text, cells[4].style) / 2;
    CHECK(middle == doctest::Approx(panel.left + panel.width / 2.0).epsilon(0.01));

    const Options across{{"annotate", "true"}, {"transpose", "true"}, {"decimals", "3"}};
    const Figure transposed = compose_figure(table, with(across));
    CHECK(std::ranges::find(transposed.texts, TextRole::cell, &PlacedText::role)[1].text ==
          "0.125");
    Table whole = table_of({{7, -12}});
    whole.has_whole_values = true;
    const Figure integers = compose_figure(whole, with({{"annotate", "true"}}));
    CHECK(std::ranges::find(integers.texts, TextRole::cell, &PlacedText::role)[1].text ==
          "\u221212");
}

TEST_CASE("annotate: on a transparent ground, numbers are as black or white as on any other") {
    const Table table = table_of({{0, 0.25, 0.5}, {1, -0.5, -1}});
    for (const char* theme : {"light", "dark"}) {
        CAPTURE(theme);
        const Figure figure = compose_figure(
            table, with({{"annotate", "true"}, {"transparent", "true"}, {"theme", theme}}));
        const Image image = paint(figure);
        for (const PlacedText& text : figure.texts) {
            if (!text.colour) continue;
            CAPTURE(text.text);
            const int width = static_cast<int>(text_advance(text.text, text.style));
            bool is_there = false;
            for (int y = text.y - 8; y < text.y; ++y) {
                for (int x = text.x; x < text.x + width; ++x) {
                    const std::uint8_t pixel = image.pixels[y * image.width + x];
                    is_there = is_there || (image.colours[pixel] == *text.colour &&
                                            image.opacities[pixel] == 255);
                }
            }
            CHECK(is_there);
        }
    }
}

TEST_CASE("annotate: cells that are too small or too many are refused") {
    const auto refusal = [](const Table& table, const Options& options) -> std::string {
        try {
            compose_figure(table, with(options));
        } catch (const UsageError& error) {
            return error.what();
        }
        return "accepted";
    };
    const Table fine =
        table_from(100, 100, [](auto row, auto) { return static_cast<double>(row); });
    CHECK(refusal(fine, {{"annotate", "true"}}).find("do not fit into cells of 6 x 6 pixels") !=
          std::string::npos);
    CHECK(refusal(sinusoid(), {{"annotate", "true"}}).find("400 x 128 cells") != std::string::npos);
    CHECK(refusal(fine, {{"decimals", "2"}}) == "--decimals: is for --annotate");
    CHECK(
        refusal(fine, {{"annotate", "true"}, {"plot", "waves"}}).starts_with("--annotate: has no"));
}

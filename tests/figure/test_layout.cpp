#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.h"
#include "figure/labels.h"
#include "figure/layout.h"

using namespace pegen;

namespace {

FigureSpec sinusoid(std::int64_t rows, std::int64_t columns, Limits limits) {
    FigureSpec spec{.x = cells_rightwards({{}, columns}), .y = cells_downwards({{}, rows})};
    spec.colorbar = Scale{ScaleKind::values, limits.low, limits.high};
    spec.title = "Positional Encoding (d_model=" + std::to_string(columns) +
                 ", max_len=" + std::to_string(rows) + ")";
    spec.x_label = "Embedding Dimension(d_model)";
    spec.y_label = "Sequence Position(max_len)";
    spec.colorbar_label = "Positional Encoding Values";
    return spec;
}

const Medium medium = picture_medium(10, 8, 100);
const Medium fine_medium = picture_medium(10, 8, 200);

Layout lay_out(const FigureSpec& spec) { return lay_out(spec, medium); }

Layout sized(double wide, double high) {
    return lay_out(sinusoid(400, 128, {-1, 1}), picture_medium(wide, high, 100));
}

std::vector<PlacedText> with_role(const Layout& layout, TextRole role) {
    std::vector<PlacedText> found;
    std::copy_if(layout.texts.begin(), layout.texts.end(), std::back_inserter(found),
                 [&](const PlacedText& text) { return text.role == role; });
    return found;
}

std::string joined(const Layout& layout, TextRole role) {
    std::string all;
    for (const PlacedText& text : with_role(layout, role)) {
        all += (all.empty() ? "" : "|") + text.text;
    }
    return all;
}

/// True if the line of the text, as long as its advance, is within a pixel of the box.
bool near(const PlacedText& text, double left, double top, double right, double bottom) {
    const double length = text_advance(text.text, text.style);
    const LineHeight line = line_height(text.style);
    const bool is_up = text.direction == Direction::upwards;
    const Box box{is_up ? text.x - line.ascent : text.x + 0.0,
                  is_up ? text.y - length : text.y - line.ascent,
                  is_up ? text.x + line.descent : text.x + length,
                  is_up ? text.y + 0.0 : text.y + line.descent};
    const auto is_near = [](double a, double b) { return a - b < 1.01 && b - a < 1.01; };
    return is_near(box.left, left) && is_near(box.right, right) && is_near(box.top, top) &&
           is_near(box.bottom, bottom);
}

bool has_line(const Layout& layout, double left, double top, double right, double bottom) {
    const auto is_near = [](double a, double b) { return a - b < 0.01 && b - a < 0.01; };
    return std::any_of(layout.lines.begin(), layout.lines.end(), [&](const Box& line) {
        return is_near(line.left, left) && is_near(line.top, top) && is_near(line.right, right) &&
               is_near(line.bottom, bottom);
    });
}

void check_nothing_touches(const Layout& layout) {
    for (std::size_t i = 0; i < layout.texts.size(); ++i) {
        const InkBox a = placed_ink(layout.texts[i], medium);
        CHECK(a.left >= 0);
        CHECK(a.top >= 0);
        CHECK(a.right <= layout.width);
        CHECK(a.bottom <= layout.height);
        for (std::size_t j = 0; j < i; ++j) {
            const InkBox b = placed_ink(layout.texts[j], medium);
            CHECK_FALSE(
                (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
        }
        const auto overlaps = [&](const Box& box) {
            return a.left < box.right && box.left < a.right && a.top < box.bottom &&
                   box.top < a.bottom;
        };
        for (const Panel& panel : layout.panels) CHECK_FALSE(overlaps(panel.axes));
        if (layout.colorbar) CHECK_FALSE(overlaps(*layout.colorbar));
    }
}

}  // namespace

// Boxes, ticks and label extents of two figures of matplotlib 3.6.3.

TEST_CASE("layout: axes and colour bar are on matplotlib's pixels") {
    const Layout layout = lay_out(sinusoid(400, 128, {-1, 1}));
    CHECK(layout.width == 1000);
    CHECK(layout.height == 800);
    CHECK(layout.panels[0].axes.left == 125);
    CHECK(layout.panels[0].axes.right == doctest::Approx(745));
    CHECK(layout.panels[0].axes.top == 96);
    CHECK(layout.panels[0].axes.bottom == 712);
    CHECK(layout.panels[0].body == PixelArea{125, 96, 621, 616});
    REQUIRE(layout.colorbar);
    CHECK(layout.colorbar->left == doctest::Approx(783.75));
    CHECK(layout.colorbar->right == doctest::Approx(814.55));
    CHECK(layout.colorbar->top == 96);
    CHECK(layout.colorbar->bottom == 712);
}

TEST_CASE("layout: lines are 0.8 points wide around the middle of a pixel") {
    const Layout layout = lay_out(sinusoid(400, 128, {-1, 1}));
    const double half = 0.8 * 100 / 72 / 2;
    CHECK(has_line(layout, 125.5 - half, 96.5 - half, 125.5 + half, 712.5 + half));
    CHECK(has_line(layout, 125.5 - half, 96.5 - half, 745.5 + half, 96.5 + half));
    CHECK(has_line(layout, 784.5 - half, 96.5 - half, 784.5 + half, 712.5 + half));
    CHECK(has_line(layout, 815.5 - half, 96.5 - half, 815.5 + half, 712.5 + half));
    // The tick of column 0, at 127.42, of row 50, at 173.77, and of -0.75, at 635.
    CHECK(has_line(layout, 127.5 - half, 712.5, 127.5 + half, 717.5));
    CHECK(has_line(layout, 120.5, 174.5 - half, 125.5, 174.5 + half));
    CHECK(has_line(layout, 815.5, 635.5 - half, 820.5, 635.5 + half));
    CHECK(layout.lines.size() == 7 + 8 + 9 + 4 + 4);
}

TEST_CASE("layout: a line of two pixels has its middle between them") {
    const double half = 0.8 * 200 / 72 / 2;
    const Layout layout = lay_out(sinusoid(400, 128, {-1, 1}), fine_medium);
    CHECK(has_line(layout, 250 - half, 192 - half, 250 + half, 1424 + half));
}

TEST_CASE("layout: the strings of the figure of 400 x 128") {
    const Layout layout = lay_out(sinusoid(400, 128, {-1, 1}));
    CHECK(joined(layout, TextRole::x_tick) == "0|20|40|60|80|100|120");
    CHECK(joined(layout, TextRole::y_tick) == "0|50|100|150|200|250|300|350");
    CHECK(joined(layout, TextRole::colorbar_tick) ==
          "\u22121.00|\u22120.75|\u22120.50|\u22120.25|0.00|0.25|0.50|0.75|1.00");
    CHECK(joined(layout, TextRole::title) == "Positional Encoding (d_model=128, max_len=400)");
    CHECK(joined(layout, TextRole::x_label) == "Embedding Dimension(d_model)");
    CHECK(joined(layout, TextRole::y_label) == "Sequence Position(max_len)");
    CHECK(joined(layout, TextRole::colorbar_label) == "Positional Encoding Values");
}

TEST_CASE("layout: the strings of the figure of 20 x 40") {
    const Layout layout = lay_out(sinusoid(20, 40, {-0.9999902248382568, 1}));
    CHECK(joined(layout, TextRole::x_tick) == "0|5|10|15|20|25|30|35");
    CHECK(joined(layout, TextRole::y_tick) == "0|5|10|15");
    CHECK(joined(layout, TextRole::colorbar_tick) ==
          "\u22120.75|\u22120.50|\u22120.25|0.00|0.25|0.50|0.75|1.00");
}

TEST_CASE("layout: text is within a pixel of matplotlib's") {
    const Layout layout = lay_out(sinusoid(400, 128, {-1, 1}));
    const std::vector<PlacedText> x = with_role(layout, TextRole::x_tick);
    CHECK(near(x[0], 122.98, 721.72, 131.86, 735.72));
    CHECK(near(x[1], 215.42, 721.72, 233.17, 735.72));
    CHECK(near(x[6], 695.36, 721.72, 721.98, 735.72));
    const std::vector<PlacedText> y = with_role(layout, TextRole::y_tick);
    CHECK(near(y[0], 106.40, 91.27, 115.28, 105.27));
    CHECK(near(y[7], 88.65, 630.27, 115.28, 644.27));
    const std::vector<PlacedText> values = with_role(layout, TextRole::colorbar_tick);
    CHECK(near(values[0], 824.27, 706.50, 866.90, 720.50));
    CHECK(near(values[3], 824.27, 475.50, 866.90, 489.50));
    CHECK(near(values[8], 824.27, 90.50, 855.27, 104.50));
    CHECK(near(with_role(layout, TextRole::x_label)[0], 321.56, 741.28, 548.44, 755.42));
    CHECK(near(with_role(layout, TextRole::y_label)[0], 68.96, 305.94, 83.10, 502.06));
    CHECK(near(with_role(layout, TextRole::colorbar_label)[0], 872.45, 311.69, 886.45, 496.31));
    const PlacedText title = with_role(layout, TextRole::title)[0];
    CHECK(title.y == 88);
    CHECK(std::abs(title.x - 223.44) < 1);
}

TEST_CASE("layout: everything grows with the dpi") {
    const Layout layout = lay_out(sinusoid(400, 128, {-1, 1}), fine_medium);
    CHECK(layout.width == 2000);
    CHECK(layout.panels[0].axes.left == 250);
    CHECK(layout.panels[0].axes.bottom == 1424);
    CHECK(layout.colorbar->width() == doctest::Approx(61.6));
    CHECK(layout.texts.size() == lay_out(sinusoid(400, 128, {-1, 1})).texts.size());
}

TEST_CASE("layout: equal aspect makes cells squares beside the colour bar") {
    FigureSpec spec = sinusoid(400, 128, {-1, 1});
    spec.aspect = Aspect::equal;
    const Layout high = lay_out(spec);
    CHECK(high.panels[0].axes.height() == doctest::Approx(616));
    CHECK(high.panels[0].axes.width() == doctest::Approx(616 * 128.0 / 400));
    CHECK(high.panels[0].axes.right == doctest::Approx(745));
    spec.x = cells_rightwards({{}, 400});
    spec.y = cells_downwards({{}, 128});
    const Layout wide = lay_out(spec);
    CHECK(wide.panels[0].axes.width() == doctest::Approx(620));
    CHECK(wide.panels[0].axes.height() == doctest::Approx(620 * 128.0 / 400));
    CHECK((wide.panels[0].axes.top + wide.panels[0].axes.bottom) / 2 == doctest::Approx(404));
    CHECK(wide.colorbar->top == doctest::Approx(wide.panels[0].axes.top));
    CHECK(wide.colorbar->bottom == doctest::Approx(wide.panels[0].axes.bottom));
    spec.y = cells_downwards({{}, 4});
    const Box flat = *lay_out(spec).colorbar;
    CHECK(flat.height() == doctest::Approx(616 * 0.2));
    CHECK((flat.top + flat.bottom) / 2 == doctest::Approx(404));
}

TEST_CASE("layout: nothing sticks out or touches at any size") {
    struct Inches {
        double wide;
        double high;
    };
    for (const Inches size :
         {Inches{0.5, 0.5}, {1, 1}, {2, 1.5}, {3, 8}, {10, 1}, {4, 3}, {6.4, 4.8}, {30, 2}}) {
        CAPTURE(size.wide);
        CAPTURE(size.high);
        check_nothing_touches(sized(size.wide, size.high));
    }
}

TEST_CASE("layout: long tables have fewer ticks rather than touching ones") {
    const Layout layout = lay_out(sinusoid(std::int64_t{1} << 40, std::int64_t{1} << 50, {-1, 1}));
    check_nothing_touches(layout);
    CHECK(joined(layout, TextRole::x_tick) == "0|500000000000000|1000000000000000");
}

TEST_CASE("layout: a wide title moves up from the tick labels") {
    FigureSpec spec = sinusoid(400, 128, {-1, 1});
    spec.title = std::string(78, '_');
    const Layout narrow = lay_out(spec, fine_medium);
    spec.title += spec.title.substr(0, 25);
    const Layout layout = lay_out(spec, fine_medium);
    REQUIRE(with_role(narrow, TextRole::title).size() == 1);
    REQUIRE(with_role(layout, TextRole::title).size() == 1);
    CHECK(with_role(layout, TextRole::title)[0].y < with_role(narrow, TextRole::title)[0].y);
    check_nothing_touches(layout);
}

TEST_CASE("layout: text that has no room in any size is left out, and no other") {
    FigureSpec spec = sinusoid(400, 128, {-1, 1});
    spec.title = std::string(200, 'm');
    spec.y_label = std::string(200, 'm');
    const Layout layout = lay_out(spec);
    CHECK((layout.left_out == std::vector{TextRole::y_label, TextRole::title}));
    CHECK(with_role(layout, TextRole::title).empty());
    CHECK(with_role(layout, TextRole::y_label).empty());
    CHECK(with_role(layout, TextRole::x_label).size() == 1);
    CHECK(with_role(layout, TextRole::colorbar_label).size() == 1);
}

TEST_CASE("layout: where no layout has room for a text, the others keep their places and sizes") {
    FigureSpec spec = sinusoid(5000, 4, {-1, 1});
    spec.aspect = Aspect::equal;  // columns narrower than a pixel: two labels would touch
    const Layout layout = lay_out(spec);
    CHECK((layout.left_out == std::vector{TextRole::x_tick}));
    CHECK(layout.colorbar->top == 96);
    for (const TextRole role : {TextRole::title, TextRole::x_label, TextRole::y_label}) {
        CHECK(with_role(layout, role).size() == 1);
    }
    CHECK(with_role(layout, TextRole::y_tick)[0].style.points == 10);
}

TEST_CASE("layout: a long title is wrapped at spaces, into lines of even length") {
    FigureSpec spec = sinusoid(400, 128, {-1, 1});
    for (int i = 0; i < 20; ++i) spec.title += " and more";
    const Layout layout = lay_out(spec);
    const std::vector<PlacedText> lines = with_role(layout, TextRole::title);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0].text.starts_with("Positional Encoding (d_model=128, max_len=400) and"));
    for (const PlacedText& line : lines) {
        CHECK(line.style.points == 12);
        CHECK(text_advance(line.text, line.style) > 500);
    }
    // There is room for three lines above axes in their usual place.
    CHECK(layout.panels[0].axes.top == 96);
    check_nothing_touches(layout);
}

TEST_CASE("layout: a word that is too long is made smaller, and nothing else") {
    FigureSpec spec = sinusoid(400, 128, {-1, 1});
    spec.title = std::string(85, 'm');
    const Layout layout = lay_out(spec);
    const PlacedText title = with_role(layout, TextRole::title)[0];
    CHECK(title.style.points < 12);
    CHECK(title.style.points >= 6);
    CHECK(with_role(layout, TextRole::x_label)[0].style.points == 10);
    CHECK(layout.panels[0].axes.left == 125);
}

TEST_CASE("layout: numbers with an exponent share one, which stands above their axis") {
    const FigureSpec spec = sinusoid(400, 128, {-1e7, 1e7});
    const Layout layout = lay_out(spec);
    CHECK(joined(layout, TextRole::colorbar_power) == "\u00d710\u2077");
    CHECK(joined(layout, TextRole::colorbar_tick) ==
          "\u22121.00|\u22120.75|\u22120.50|\u22120.25|0.00|0.25|0.50|0.75|1.00");
    const PlacedText power = with_role(layout, TextRole::colorbar_power)[0];
    CHECK(power.y < layout.colorbar->top);
    CHECK(power.x == std::lround(layout.colorbar->left));
    check_nothing_touches(layout);
    CHECK(joined(lay_out(spec, window_medium(80, 24)), TextRole::colorbar_power) == "");
}

TEST_CASE("layout: empty texts are not drawn") {
    FigureSpec spec = sinusoid(400, 128, {-1, 1});
    spec.title = spec.x_label = spec.y_label = spec.colorbar_label = "";
    for (const PlacedText& text : lay_out(spec).texts) CHECK(!text.text.empty());
}

TEST_CASE("layout: a figure too small for axes or too large is refused") {
    CHECK_THROWS_WITH_AS(sized(0.49, 8),
                         "a figure of 49 x 800 pixels: must have at least 50 x 50 pixels to hold "
                         "axes; give a larger --figsize or --dpi, or --no-axes",
                         UsageError);
    CHECK_THROWS_WITH_AS(sized(500, 500),
                         "a picture of 50000 x 50000 pixels: at most 2^28 pixels, such as 16384 x "
                         "16384; --figsize is in inches of --dpi pixels",
                         UsageError);
}

TEST_CASE(
    "layout: without a colour bar the axes take its place, and square cells are in the middle") {
    FigureSpec spec = sinusoid(128, 400, {-1, 1});
    spec.colorbar.reset();
    CHECK(lay_out(spec).panels[0].axes.right == doctest::Approx(900));
    CHECK_FALSE(lay_out(spec).colorbar);
    // matplotlib 3.6.3: imshow() of 128 x 400 in 640 x 480 pixels.
    spec.aspect = Aspect::equal;
    const Box axes = lay_out(spec, picture_medium(6.4, 4.8, 100)).panels[0].axes;
    CHECK(axes.left == doctest::Approx(80));
    CHECK(axes.right == doctest::Approx(576));
    CHECK(axes.top == doctest::Approx(163.04));
    CHECK(axes.bottom == doctest::Approx(321.76));
}

namespace {

FigureSpec of_panels(std::size_t count) {
    FigureSpec spec = sinusoid(16, 16, {-1, 1});
    spec.panels.clear();
    for (std::size_t i = 0; i < count; ++i) spec.panels.push_back("head " + std::to_string(i));
    return spec;
}

}  // namespace

TEST_CASE("layout: panels are in rows, as many across as down or one more") {
    const Layout layout = lay_out(of_panels(5));
    REQUIRE(layout.panels.size() == 5);
    const Box first = layout.panels[0].axes, third = layout.panels[2].axes;
    const Box fourth = layout.panels[3].axes;
    CHECK(first.top == third.top);
    CHECK(third.right == doctest::Approx(745));
    CHECK(fourth.left == first.left);
    CHECK(fourth.bottom == doctest::Approx(712));
    for (const Panel& panel : layout.panels) {
        CHECK(panel.axes.width() == doctest::Approx(first.width()));
        CHECK(panel.axes.height() == doctest::Approx(first.height()));
    }
    CHECK(joined(layout, TextRole::panel_title) == "head 0|head 1|head 2|head 3|head 4");
    check_nothing_touches(layout);
}

TEST_CASE("layout: a wider grid of panels is taken if it leaves fewer places empty") {
    const auto across = [](std::size_t count) {
        const Layout layout = lay_out(of_panels(count));
        return std::ranges::count(layout.panels, layout.panels[0].axes.top,
                                  [](const Panel& panel) { return panel.axes.top; });
    };
    CHECK(across(3) == 2);
    CHECK(across(8) == 4);
    CHECK(across(9) == 3);
    CHECK(across(10) == 4);
    CHECK(across(12) == 4);
    CHECK(across(15) == 5);
    CHECK(across(18) == 6);
    CHECK(across(32) == 8);
}

TEST_CASE("layout: panels have ticks where there is no panel to the left or below") {
    const Layout layout = lay_out(of_panels(5));
    const std::size_t down = with_role(layout, TextRole::y_tick).size();
    const std::size_t across = with_role(layout, TextRole::x_tick).size();
    CHECK(down == 2 * index_ticks({-0.5, 15.5}, 9).size());
    CHECK(across % 3 == 0);
    CHECK(across > 0);
}

TEST_CASE("layout: panels never touch, however many") {
    for (const std::size_t count : {2U, 3U, 12U, 64U, 128U}) {
        CAPTURE(count);
        const Layout layout = lay_out(of_panels(count));
        check_nothing_touches(layout);
        CHECK(with_role(layout, TextRole::title).size() == 1);
    }
    CHECK_THROWS_WITH_AS(lay_out(of_panels(64), picture_medium(1, 1, 100)),
                         "a figure of 100 x 100 pixels: has no room for 64 panels; make it "
                         "larger, or choose one with --select",
                         UsageError);
}

TEST_CASE("layout: a legend stands beside the axes, its samples before their names") {
    FigureSpec spec = sinusoid(16, 16, {-1, 1});
    spec.colorbar.reset();
    spec.legend = {{"channel 0", {1, 2, 3}, false}, {"all pairs", {4, 5, 6}, true}};
    const Layout layout = lay_out(spec);
    CHECK(joined(layout, TextRole::legend) == "channel 0|all pairs");
    REQUIRE(layout.sample_curves.size() == 1);
    REQUIRE(layout.sample_bands.size() == 1);
    CHECK(layout.sample_curves[0].colour == Rgb{1, 2, 3});
    CHECK(layout.sample_curves[0].points.front().x == doctest::Approx(783.75));
    const std::vector<PlacedText> names = with_role(layout, TextRole::legend);
    CHECK(layout.sample_curves[0].points.back().x < names[0].x);
    CHECK(layout.sample_bands[0].lower[0].y == names[1].y);
    check_nothing_touches(layout);
}

TEST_CASE("layout: a long legend gets room: a wider margin, or a place below the axes") {
    FigureSpec spec = sinusoid(16, 16, {-1, 1});
    spec.colorbar.reset();
    spec.legend = {{std::string(16, 'm'), {1, 2, 3}, false}, {"all pairs", {4, 5, 6}, true}};
    const Layout beside = lay_out(spec);
    const Box axes = beside.panels[0].axes;
    CHECK(beside.left_out.empty());
    CHECK(axes.left == 125);
    CHECK(axes.right < 740);
    for (const PlacedText& text : with_role(beside, TextRole::legend)) CHECK(text.x > axes.right);
    check_nothing_touches(beside);
    spec.legend[0].text = std::string(70, 'm');
    const Layout below = lay_out(spec);
    CHECK(below.left_out.empty());
    CHECK(below.sample_curves.size() == 1);
    for (const PlacedText& text : with_role(below, TextRole::legend)) {
        CHECK(text.y > below.panels[0].axes.bottom);
    }
    check_nothing_touches(below);
}

TEST_CASE("layout: a legend is in the first empty corner of a figure with a size of its own") {
    const auto legend_of = [](std::vector<Box> drawn, const Medium& on) {
        FigureSpec spec{.x = {ScaleKind::values, 0, 1}, .y = {ScaleKind::values, 0, 1}};
        spec.legend = {{"one", {}, false}, {"two", {}, false}};
        spec.drawn = std::move(drawn);
        const Layout layout = lay_out(spec, on);
        const PlacedText text = with_role(layout, TextRole::legend).front();
        const Box& axes = layout.panels.front().axes;
        return Point{(text.x - axes.left) / axes.width(), (text.y - axes.top) / axes.height()};
    };
    const Medium own = with_font_size(picture_medium(6, 4, 100), 9);
    const Box upper_right{0.9, 0.05, 0.95, 0.1}, upper{0, 0, 1, 0.1}, right{0.9, 0, 1, 1};
    CHECK(legend_of({}, own).x > 0.5);
    CHECK(legend_of({}, own).x < 1);
    CHECK(legend_of({}, own).y < 0.5);
    CHECK(legend_of({upper_right}, own).x < 0.5);
    CHECK(legend_of({upper}, own).x > 0.5);
    CHECK(legend_of({upper}, own).y > 0.5);
    CHECK(legend_of({upper, right}, own).x < 0.5);
    CHECK(legend_of({{0, 0, 1, 1}}, own).x > 1);
    CHECK(legend_of({}, picture_medium(6, 4, 100)).x > 1);
}

TEST_CASE("layout: panels of equal aspect leave no hole where they are about as large without") {
    FigureSpec spec = sinusoid(14, 14, {-1, 1});
    spec.panels.assign(8, "channel 0");
    spec.aspect = Aspect::equal;
    const Layout layout = lay_out(spec, with_font_size(picture_medium(16, 12, 50), 32));
    std::set<double> lefts, tops;
    for (const Panel& panel : layout.panels) {
        lefts.insert(panel.axes.left);
        tops.insert(panel.axes.top);
    }
    CHECK(lefts.size() == 4);
    CHECK(tops.size() == 2);
    const Box &first = layout.panels[0].axes, &second = layout.panels[1].axes;
    CHECK(second.left - first.right < 0.3 * first.width());
    CHECK(layout.panels[4].axes.top > first.bottom);
}

TEST_CASE("layout: an axis of few cells has a number at each where there is room") {
    const Medium own = with_font_size(picture_medium(6, 4, 100), 9);
    const Layout layout = lay_out(sinusoid(10, 8, {-1, 1}), own);
    CHECK(with_role(layout, TextRole::y_tick).size() == 10);
    CHECK(with_role(layout, TextRole::x_tick).size() == 8);
    CHECK(with_role(lay_out(sinusoid(17, 8, {-1, 1}), own), TextRole::y_tick).size() < 17);
}

TEST_CASE("layout: minor ticks are shorter and have no label") {
    FigureSpec spec = sinusoid(16, 16, {-1, 1});
    spec.colorbar.reset();
    spec.y = {ScaleKind::powers, 1, 100};
    const Layout layout = lay_out(spec);
    CHECK(joined(layout, TextRole::y_tick) == "10\u2070|10\u00b9|10\u00b2");
    const double half = 0.8 * 100 / 72 / 2;
    const double y = 712 - std::log10(2) / 2 * 616;
    CHECK(has_line(layout, 122.5, std::floor(y + 0.5) + 0.5 - half, 125.5,
                   std::floor(y + 0.5) + 0.5 + half));
}

TEST_CASE("layout: a window has its texts in whole lines around the axes") {
    const Medium window = window_medium(80, 24);
    const Layout layout = lay_out(sinusoid(400, 128, {-1, 1}), window);
    CHECK(layout.width == 80);
    CHECK(layout.height == 48);
    CHECK(layout.panels[0].body == PixelArea{7, 4, 62, 40});
    CHECK(layout.colorbar_body == PixelArea{71, 4, 2, 40});
    CHECK(with_role(layout, TextRole::title)[0].y == 2);
    CHECK(with_role(layout, TextRole::y_label)[0].y == 4);
    CHECK(with_role(layout, TextRole::x_label)[0].y == 48);
    for (const PlacedText& text : layout.texts) {
        CHECK(text.y % 2 == 0);
        CHECK(text.direction == Direction::rightwards);
    }
    // The first value is at the middle of the upper half of the first line of the axes.
    const std::vector<PlacedText> values = with_role(layout, TextRole::colorbar_tick);
    CHECK(values.front().y == 44);
    CHECK(values.back().y == 6);
}

TEST_CASE("layout: an interval between ticks has 30 points across and 20 upwards at least") {
    const Medium points = picture_medium(10, 8, 72);
    const Scale scale{ScaleKind::values, 0, 1};
    const auto across = [&](double width) {
        return x_axes(scale, {{0, 0, width, 100}}, points).intervals;
    };
    const auto upwards = [&](double height) {
        return y_axes(scale, {{0, 0, 100, height}}, points).intervals;
    };
    CHECK(across(120) == 4);
    CHECK(across(119) == 3);
    CHECK(upwards(80) == 4);
    CHECK(upwards(79) == 3);
}

TEST_CASE("layout: a small window has room for the axes only") {
    const Layout layout = lay_out(sinusoid(400, 128, {-1, 1}), window_medium(20, 6));
    CHECK(layout.panels[0].body == PixelArea{0, 0, 20, 12});
    CHECK(layout.texts.empty());
    CHECK_FALSE(layout.colorbar);
}

TEST_CASE("layout: panels in a window are in whole lines, with their titles between them") {
    const Layout layout = lay_out(of_panels(5), window_medium(100, 30));
    for (const Panel& panel : layout.panels) {
        CHECK(panel.body.top % 2 == 0);
        CHECK(panel.body.height % 2 == 0);
        CHECK(panel.body.height == panel.axes.height());
        CHECK(panel.body.width == panel.axes.width());
    }
    CHECK(joined(layout, TextRole::panel_title) == "head 0|head 1|head 2|head 3|head 4");
    CHECK(joined(layout, TextRole::y_label) == "Sequence Position(max_len)");
    for (const PlacedText& text : layout.texts) {
        const InkBox ink = placed_ink(text, window_medium(100, 30));
        for (const Panel& panel : layout.panels) {
            const bool is_over = ink.left < panel.axes.right && panel.axes.left < ink.right &&
                                 ink.top < panel.axes.bottom && panel.axes.top < ink.bottom;
            CHECK_FALSE(is_over);
        }
    }
}

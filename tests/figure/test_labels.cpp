#include <doctest/doctest.h>

#include "figure/labels.h"

using namespace pegen;

namespace {

const Medium medium = picture_medium(10, 8, 100);

/// Five panels in rows of three.
Frames five_panels() {
    Frames frames{};
    for (int i = 0; i < 5; ++i) {
        const double left = 200.0 * (i % 3) + 100, top = 300.0 * (i / 3) + 100;
        frames.axes.push_back({left, top, left + 150, top + 250});
    }
    frames.across = 3;
    frames.page = frames.middle = {0, 0, 1000, 800};
    return frames;
}

FigureSpec titled(std::vector<std::string> panels) {
    return {
        .x = cells_rightwards({{}, 8}), .y = cells_downwards({{}, 8}), .panels = std::move(panels)};
}

}  // namespace

TEST_CASE("labels: the hull is around all panels") {
    const Box hull = five_panels().hull();
    CHECK(hull.left == 100);
    CHECK(hull.top == 100);
    CHECK(hull.right == 650);
    CHECK(hull.bottom == 650);
}

TEST_CASE("labels: panels with none to the left, and with none below, have ticks") {
    const std::vector<Box> left = five_panels().at_left(), bottom = five_panels().at_bottom();
    REQUIRE(left.size() == 2);
    CHECK(left[0].top == 100);
    CHECK(left[1].top == 400);
    for (const Box& box : left) CHECK(box.left == 100);
    REQUIRE(bottom.size() == 3);
    CHECK(bottom[0].left == 500);
    CHECK(bottom[0].top == 100);
    CHECK(bottom[1].left == 100);
    CHECK(bottom[2].left == 300);
    Frames two{};
    two.axes = {{0, 0, 1, 1}, {2, 0, 3, 1}};
    two.across = 2;
    CHECK(two.at_left().size() == 1);
    CHECK(two.at_bottom().size() == 2);
}

TEST_CASE("labels: panels make room for titles if one has a title") {
    CHECK(panel_title_room(titled({""}), medium) == 0);
    CHECK(panel_title_room(titled({"", ""}), medium) == 0);
    CHECK(panel_title_room(titled({"", "cos"}), medium) == medium.label_pad + medium.line.ascent);
}

TEST_CASE("labels: every panel with ticks has the same, from its own frame on") {
    const FigureSpec spec = titled({"a", "b", "c", "d", "e"});
    const Labels labels = place_labels(spec, usual_names(spec, medium), five_panels(), medium);
    REQUIRE(labels.y_ticks.size() % 2 == 0);
    const std::size_t half = labels.y_ticks.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
        CHECK(labels.y_ticks[i].edge == 100);
        CHECK(labels.y_ticks[half + i].pixel == doctest::Approx(labels.y_ticks[i].pixel + 300));
    }
    REQUIRE(labels.x_ticks.size() % 3 == 0);
    CHECK(labels.x_ticks.front().edge == 350);
    CHECK(labels.x_ticks.back().edge == 650);
    CHECK(labels.colorbar_ticks.empty());
}

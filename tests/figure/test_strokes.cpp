#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "figure/paint.h"
#include "figure/strokes.h"

using namespace pegen;

namespace {

constexpr Rgb red{255, 0, 0};

/// The area covered, in pixels.
double area_of(const Mask& mask) {
    return std::accumulate(mask.coverage.begin(), mask.coverage.end(), 0.0) / 255;
}

int coverage(const Mask& mask, int x, int y) {
    const InkBox box = mask.box;
    if (x < box.left || x >= box.right || y < box.top || y >= box.bottom) return 0;
    return mask
        .coverage[static_cast<std::size_t>((y - box.top) * (box.right - box.left) + x - box.left)];
}

Figure of_curve(const Curve& curve) {
    return {.title = "", .width = 20, .height = 20, .dpi = 100, .curves = {curve}};
}

}  // namespace

TEST_CASE("strokes: a line covers its length times its width, and its round ends") {
    const double disc = std::numbers::pi;
    for (const Point end : {Point{50, 10}, Point{10, 50}, Point{38.28, 38.28}}) {
        const Mask mask = cover(Curve{{{10, 10}, end}, red, 2});
        CHECK(area_of(mask) == doctest::Approx(80 + disc).epsilon(0.03));
    }
}

TEST_CASE("strokes: a line along the middle of pixels covers these wholly and no others") {
    const Mask mask = cover(Curve{{{2, 5.5}, {12, 5.5}}, red, 1});
    CHECK(coverage(mask, 6, 5) == 255);
    CHECK(coverage(mask, 6, 4) == 0);
    CHECK(coverage(mask, 6, 6) == 0);
}

TEST_CASE("strokes: where a curve crosses itself it is not darker") {
    const Curve there_and_back{{{2, 5}, {12, 5}, {2, 5}}, red, 1};
    const Curve there{{{2, 5}, {12, 5}}, red, 1};
    CHECK(cover(there_and_back).coverage == cover(there).coverage);
}

TEST_CASE("strokes: a curve of one point is a dot") {
    const Mask mask = cover(Curve{{{8, 8}}, red, 6});
    CHECK(area_of(mask) == doctest::Approx(9 * std::numbers::pi).epsilon(0.03));
}

TEST_CASE("strokes: a band covers what is between its curves, in strips of any width") {
    const Mask whole = cover(Band{{{2.5, 3}, {12.25, 3}}, {{2.5, 7.5}, {12.25, 7.5}}, red});
    CHECK(area_of(whole) == doctest::Approx(9.75 * 4.5).epsilon(0.01));
    CHECK(coverage(whole, 5, 4) == 255);
    CHECK(coverage(whole, 2, 4) == 128);
    CHECK(coverage(whole, 5, 7) == 128);
    Band narrow{{}, {}, red};
    for (double x = 0; x <= 10; x += 0.25) {
        narrow.upper.push_back({x, 10 - x});
        narrow.lower.push_back({x, 10});
    }
    CHECK(area_of(cover(narrow)) == doctest::Approx(50).epsilon(0.02));
}

TEST_CASE("strokes: painted in their colour, with edges between it and the ground") {
    const Image image = paint(of_curve({{{4, 10}, {16, 10}}, red, 1}));
    CHECK(image.at(10, 5) == Rgb{255, 255, 255});
    const Rgb edge = image.at(10, 9);  // half covered
    CHECK(edge[0] == 255);
    CHECK(edge[1] == edge[2]);
    CHECK(std::abs(edge[1] - 128) <= 8);
    CHECK(paint(of_curve({{{4, 10.5}, {16, 10.5}}, red, 3})).at(10, 10) == red);
}

TEST_CASE("strokes: what is beyond the picture is cut off") {
    CHECK_NOTHROW(paint(of_curve({{{-10, -10}, {40, 40}}, red, 3})));
    CHECK_NOTHROW(paint_without_ground(of_curve({{{-10, -10}, {40, 40}}, red, 3})));
}

TEST_CASE("strokes: without background, pixels of which half is covered have the colour") {
    const auto pixels = paint_without_ground(of_curve({{{4, 10.5}, {16, 10.5}}, red, 1}));
    CHECK(pixels[10 * 20 + 10] == red);
    CHECK_FALSE(pixels[9 * 20 + 10].has_value());
}

#include "figure/colorbar.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "figure/heatmap.h"
#include "figure/strokes.h"

namespace pegen {
namespace {

constexpr double arrow_share = 0.05;  // share of the bar between the arrows, as in matplotlib

/// Adds a triangle with its base at height `base` across the width of `bar` and its tip at `tip`.
void add_arrow(Figure& figure, const Box& bar, double base, double tip, Rgb colour,
               const Stroke& stroke) {
    const double left = stroke.middle(bar.left), right = stroke.middle(bar.right);
    const std::vector<Point> sides{{left, base}, {(left + right) / 2, tip}, {right, base}};
    const std::vector<Point> edge{{left, base}, {(left + right) / 2, base}, {right, base}};
    figure.bands.push_back({tip < base ? sides : edge, tip < base ? edge : sides, colour});
    figure.curves.push_back({sides, {0, 0, 0}, 2 * stroke.half});
}

}  // namespace

Arrows arrows_of(Limits of_values, Limits of_colours) {
    return {of_values.low<of_colours.low, of_values.high> of_colours.high};
}

Box between_arrows(const Box& whole, Arrows arrows) {
    const double height = whole.height() / (1 + arrow_share * (arrows.below + arrows.above));
    Box bar = whole;
    if (arrows.above) bar.top += arrow_share * height;
    if (arrows.below) bar.bottom -= arrow_share * height;
    return bar;
}

void add_arrows(Figure& figure, const Box& bar, Arrows arrows, double line_width) {
    const Stroke stroke(line_width);
    const double length = arrow_share * bar.height();
    const double top = stroke.middle(bar.top), bottom = stroke.middle(bar.bottom);
    if (arrows.above) {
        add_arrow(figure, bar, top, top - length, figure.palette.back(), stroke);
    }
    if (arrows.below) {
        add_arrow(figure, bar, bottom, bottom + length, figure.palette.front(), stroke);
    }
}

std::optional<ColorbarSteps> steps_within(Limits limits, int pixels) {
    constexpr int most_steps = 16, least_pixels = 2;
    const ColorbarSteps steps{std::ceil(limits.low), std::floor(limits.high)};
    const double count = steps.last - steps.first + 1;
    if (count < 1 || count > std::min(most_steps, pixels / least_pixels)) return std::nullopt;
    return steps;
}

Scale scale_of(const ColorbarSteps& steps) {
    return {ScaleKind::indices, steps.first - 0.5, steps.last + 0.5, {}};
}

std::vector<std::uint16_t> colours_of(const ColorbarSteps& steps, Limits limits) {
    std::vector<std::uint16_t> colours;
    for (double value = steps.first; value <= steps.last; ++value) {
        colours.push_back(colour_index(value, limits));
    }
    return colours;
}

std::vector<std::uint16_t> all_colours() {
    std::vector<std::uint16_t> colours(no_value);
    std::iota(colours.begin(), colours.end(), std::uint16_t{0});
    return colours;
}

PlacedGrid colorbar_grid(const PixelArea& area, std::span<const std::uint16_t> colours) {
    PlacedGrid bar{area.left, area.top, {area.width, area.height, {}}};
    for (int y = 0; y < area.height; ++y) {
        const std::size_t from_top = nearest_cell(y, area.height, std::ssize(colours));
        bar.grid.indices.insert(bar.grid.indices.end(), area.width,
                                colours[colours.size() - 1 - from_top]);
    }
    return bar;
}

}  // namespace pegen

#include "figure/colorbar_arrows.h"

#include "figure/stroke.h"

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

}  // namespace pegen

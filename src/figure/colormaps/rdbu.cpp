#include "figure/colormap.h"

namespace pegen {
namespace {

/// RdBu of 11 classes. This product includes color specifications and designs developed by Cynthia
/// Brewer (http://colorbrewer.org/). Copyright (c) 2002 Cynthia Brewer, Mark Harrower, and The
/// Pennsylvania State University.
constexpr std::array<Rgb, 11> points{{{103, 0, 31},
                                      {178, 24, 43},
                                      {214, 96, 77},
                                      {244, 165, 130},
                                      {253, 219, 199},
                                      {247, 247, 247},
                                      {209, 229, 240},
                                      {146, 197, 222},
                                      {67, 147, 195},
                                      {33, 102, 172},
                                      {5, 48, 97}}};

/// Interpolates linearly between the points. Where the exact level is whole, rounding decides
/// whether it is cut to the level below: products and quotients are computed in matplotlib's order.
constexpr Palette rdbu_colours() {
    constexpr std::size_t last = Palette().size() - 1;
    constexpr auto place = [](std::size_t point) {
        return last * (static_cast<double>(point) * 0.1);
    };
    Palette palette{};
    palette.front() = points.front();
    palette.back() = points.back();
    for (std::size_t i = 1, after = 1; i < last; ++i) {
        const double here = last * (static_cast<double>(i) * (1.0 / last));
        while (place(after) < here) ++after;
        const std::size_t before = after - 1;
        const double t = (here - place(before)) / (place(after) - place(before));
        for (std::size_t c = 0; c < 3; ++c) {
            const double from = points[before][c] / 255.0;
            const double to = points[after][c] / 255.0;
            palette[i][c] = static_cast<std::uint8_t>(255 * (t * (to - from) + from));
        }
    }
    return palette;
}

}  // namespace

namespace colormaps {
extern constinit const Colormap rdbu{
    .name = "RdBu",
    .summary = "red to white to blue, diverging",
    .source = "Brewer 2002, ColorBrewer; linear between its 11 colours, as in matplotlib",
    .colours = rdbu_colours,
};
}  // namespace colormaps
}  // namespace pegen

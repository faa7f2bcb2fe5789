/// Colormaps that are defined by a few colours, equally spaced, and are linear between them.
#include <cstdint>

#include "figure/colormap.h"

namespace pegen {
namespace {

/// The level of each channel of a colour, of 255; it may have a fraction.
using Levels = std::array<double, 3>;

/// Where the exact level is whole, rounding decides whether it is cut to the level below: products
/// and quotients are computed in matplotlib's order.
template <std::size_t count>
constexpr Palette between(const std::array<Levels, count>& points) {
    constexpr std::size_t last = Palette().size() - 1;
    constexpr double step = 1.0 / (count - 1);
    const auto place = [](std::size_t point) { return last * (static_cast<double>(point) * step); };
    Palette palette{};
    for (std::size_t i = 0, after = 1; i <= last; ++i) {
        const double here = last * (static_cast<double>(i) * (1.0 / last));
        while (after + 1 < count && place(after) < here) ++after;
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

/// The same for colours as 0xRRGGBB.
template <std::size_t count>
constexpr Palette between(const std::array<int, count>& points) {
    std::array<Levels, count> levels;
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t c = 0; c < 3; ++c) levels[i][c] = points[i] >> (16 - 8 * c) & 0xff;
    }
    return between(levels);
}

// The product includes color specifications and designs developed by Cynthia Brewer
// (http://colorbrewer.org/). Copyright (c) 2002 Cynthia Brewer, Mark Harrower, and The Pennsylvania
// State University.
constexpr std::string_view by_brewer =
    "Brewer 2002, ColorBrewer; linear between its colours, as in matplotlib";

}  // namespace

namespace colormaps {

extern constinit const Colormap brbg{
    .name = "BrBG",
    .summary = "brown to white to teal, diverging",
    .source = by_brewer,
    .colours =
        [] {
            return between(std::array{0x543005, 0x8c510a, 0xbf812d, 0xdfc27d, 0xf6e8c3, 0xf5f5f5,
                                      0xc7eae5, 0x80cdc1, 0x35978f, 0x01665e, 0x003c30});
        },
};
extern constinit const Colormap puor{
    .name = "PuOr",
    .summary = "orange to white to purple, diverging",
    .source = by_brewer,
    .colours =
        [] {
            return between(std::array{0x7f3b08, 0xb35806, 0xe08214, 0xfdb863, 0xfee0b6, 0xf7f7f7,
                                      0xd8daeb, 0xb2abd2, 0x8073ac, 0x542788, 0x2d004b});
        },
};
extern constinit const Colormap rdbu{
    .name = "RdBu",
    .summary = "red to white to blue, diverging",
    .source = by_brewer,
    .colours =
        [] {
            return between(std::array{0x67001f, 0xb2182b, 0xd6604d, 0xf4a582, 0xfddbc7, 0xf7f7f7,
                                      0xd1e5f0, 0x92c5de, 0x4393c3, 0x2166ac, 0x053061});
        },
};
extern constinit const Colormap rdylbu{
    .name = "RdYlBu",
    .summary = "red to yellow to blue, diverging",
    .source = by_brewer,
    .colours =
        [] {
            return between(std::array{0xa50026, 0xd73027, 0xf46d43, 0xfdae61, 0xfee090, 0xffffbf,
                                      0xe0f3f8, 0xabd9e9, 0x74add1, 0x4575b4, 0x313695});
        },
};
extern constinit const Colormap spectral{
    .name = "Spectral",
    .summary = "red to yellow to blue through orange and green, diverging",
    .source = by_brewer,
    .colours =
        [] {
            return between(std::array{0x9e0142, 0xd53e4f, 0xf46d43, 0xfdae61, 0xfee08b, 0xffffbf,
                                      0xe6f598, 0xabdda4, 0x66c2a5, 0x3288bd, 0x5e4fa2});
        },
};
extern constinit const Colormap blues{
    .name = "Blues",
    .summary = "white to dark blue",
    .source = by_brewer,
    .colours =
        [] {
            return between(std::array{0xf7fbff, 0xdeebf7, 0xc6dbef, 0x9ecae1, 0x6baed6, 0x4292c6,
                                      0x2171b5, 0x08519c, 0x08306b});
        },
};
extern constinit const Colormap ylgnbu{
    .name = "YlGnBu",
    .summary = "pale yellow to green to dark blue",
    .source = by_brewer,
    .colours =
        [] {
            return between(std::array{0xffffd9, 0xedf8b1, 0xc7e9b4, 0x7fcdbb, 0x41b6c4, 0x1d91c0,
                                      0x225ea8, 0x253494, 0x081d58});
        },
};
extern constinit const Colormap ylorrd{
    .name = "YlOrRd",
    .summary = "pale yellow to orange to dark red",
    .source = by_brewer,
    .colours =
        [] {
            return between(std::array{0xffffcc, 0xffeda0, 0xfed976, 0xfeb24c, 0xfd8d3c, 0xfc4e2a,
                                      0xe31a1c, 0xbd0026, 0x800026});
        },
};

extern constinit const Colormap bwr{
    .name = "bwr",
    .summary = "blue to white to red, diverging, saturated",
    .source = "matplotlib; linear between three colours",
    .colours =
        [] {
            return between(std::array{0x0000ff, 0xffffff, 0xff0000});
        },
};
extern constinit const Colormap seismic{
    .name = "seismic",
    .summary = "dark blue to blue to white to red to dark red, diverging, saturated",
    .source = "matplotlib; linear between five colours",
    .colours =
        [] {
            return between(std::array{Levels{0, 0, 76.5}, Levels{0, 0, 255}, Levels{255, 255, 255},
                                      Levels{255, 0, 0}, Levels{127.5, 0, 0}});
        },
};

}  // namespace colormaps
}  // namespace pegen

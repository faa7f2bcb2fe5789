#include "formats/palette256.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pegen {
namespace {

constexpr int first_colour = 16;
constexpr std::size_t colour_count = 240;

using Components = std::array<double, 3>;

double linear(std::uint8_t level) {
    const double share = level / 255.0;
    return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
}

/// A colour in OKLab, with a and b doubled.
Components perceived(Rgb colour) {
    const double r = linear(colour[0]), g = linear(colour[1]), b = linear(colour[2]);
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            2 * (1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s),
            2 * (0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s)};
}

double squared_distance(const Components& a, const Components& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

std::array<Components, colour_count> perceived_palette() {
    constexpr std::array<std::uint8_t, 6> levels{0, 95, 135, 175, 215, 255};
    std::array<Components, colour_count> palette;
    auto next = palette.begin();
    for (const std::uint8_t red : levels) {
        for (const std::uint8_t green : levels) {
            for (const std::uint8_t blue : levels) *next++ = perceived({red, green, blue});
        }
    }
    for (std::uint8_t level = 8; next != palette.end(); level += 10) {
        *next++ = perceived({level, level, level});
    }
    return palette;
}

}  // namespace

int nearest_of_256(Rgb colour) {
    static const std::array<Components, colour_count> palette = perceived_palette();
    const Components wanted = perceived(colour);
    const auto nearest = std::ranges::min_element(
        palette, {}, [&](const Components& c) { return squared_distance(c, wanted); });
    return first_colour + static_cast<int>(nearest - palette.begin());
}

}  // namespace pegen

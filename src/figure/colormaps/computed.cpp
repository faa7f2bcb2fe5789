#include <algorithm>
#include <cmath>

#include "figure/colormap.h"

namespace pegen {
namespace {

/// A colour in polar CIELAB: magnitude M, saturation angle s, hue h (radians).
struct Msh {
    double magnitude;
    double saturation;
    double hue;
};

using Components = std::array<double, 3>;

constexpr Msh cool{80, 1.08, -1.1};
constexpr Msh warm{80, 1.08, 0.5};
constexpr double white_magnitude = 88;
constexpr double pi = 3.14159265358979323846;

/// Returns the hue to give to white so that colours between `colour` and white keep their perceived
/// hue.
double hue_towards_white(const Msh& colour) {
    const double m = colour.magnitude;
    const double spin = colour.saturation * std::sqrt(white_magnitude * white_magnitude - m * m) /
                        (m * std::sin(colour.saturation));
    // The hue turns away from purple.
    return colour.hue > -pi / 3 ? colour.hue + spin : colour.hue - spin;
}

Msh mix(const Msh& a, const Msh& b, double t) {
    return {std::lerp(a.magnitude, b.magnitude, t), std::lerp(a.saturation, b.saturation, t),
            std::lerp(a.hue, b.hue, t)};
}

/// Returns the inverse of CIELAB's cube root with its linear foot.
double cube(double t) { return t > 6.0 / 29 ? t * t * t : (t - 16.0 / 116) * 108 / 841; }

double srgb_gamma(double linear) {
    const double level =
        linear > 0.0031308 ? 1.055 * std::pow(linear, 1 / 2.4) - 0.055 : 12.92 * linear;
    return std::clamp(level, 0.0, 1.0);
}

Components to_srgb(const Msh& colour) {
    const double chroma = colour.magnitude * std::sin(colour.saturation);
    const double y = (colour.magnitude * std::cos(colour.saturation) + 16) / 116;
    constexpr Components d65{0.95047, 1.0, 1.08883};
    const Components xyz{d65[0] * cube(y + chroma * std::cos(colour.hue) / 500), d65[1] * cube(y),
                         d65[2] * cube(y - chroma * std::sin(colour.hue) / 200)};
    constexpr std::array<Components, 3> from_xyz{
        {{3.2406, -1.5372, -0.4986}, {-0.9689, 1.8758, 0.0415}, {0.0557, -0.2040, 1.0570}}};
    Components srgb;
    for (std::size_t i = 0; i < srgb.size(); ++i) {
        const Components& row = from_xyz[i];
        srgb[i] = srgb_gamma(row[0] * xyz[0] + row[1] * xyz[1] + row[2] * xyz[2]);
    }
    return srgb;
}

/// Returns the colour at `t`, from 0 (cool) to 1 (warm), through white at 0.5.
Components diverging(double t) {
    const Msh& end = t < 0.5 ? cool : warm;
    const Msh white{white_magnitude, 0, hue_towards_white(end)};
    return to_srgb(mix(white, end, std::abs(2 * t - 1)));
}

/// Evaluates the curve at 33 points and is linear between them, as published tables of this map
/// are.
Palette coolwarm_colours() {
    constexpr std::size_t intervals = 32;
    std::array<Components, intervals + 1> points;
    for (std::size_t i = 0; i < points.size(); ++i) {
        points[i] = diverging(static_cast<double>(i) / intervals);
    }
    Palette palette;
    for (std::size_t i = 0; i < palette.size(); ++i) {
        const double place = static_cast<double>(i) * intervals / (palette.size() - 1);
        const std::size_t before = std::min(static_cast<std::size_t>(place), intervals - 1);
        const double t = place - static_cast<double>(before);
        for (std::size_t c = 0; c < 3; ++c) {
            const double level = std::lerp(points[before][c], points[before + 1][c], t);
            palette[i][c] = static_cast<std::uint8_t>(255 * level);
        }
    }
    return palette;
}

}  // namespace

namespace colormaps {
extern constinit const Colormap coolwarm{
    .name = "coolwarm",
    .summary = "blue to light gray to red, diverging",
    .source =
        "Moreland 2009, Diverging Color Maps for Scientific Visualization, "
        "doi:10.1007/978-3-642-10520-3_9",
    .colours = coolwarm_colours,
};
}  // namespace colormaps

namespace {

Palette gray_colours() {
    Palette palette;
    for (std::size_t i = 0; i < palette.size(); ++i) {
        const auto level = static_cast<std::uint8_t>(i);
        palette[i] = {level, level, level};
    }
    return palette;
}

}  // namespace

namespace colormaps {
extern constinit const Colormap gray{
    .name = "gray",
    .summary = "black to white, in equal steps of sRGB",
    .source = "by definition",
    .colours = gray_colours,
};
}  // namespace colormaps

}  // namespace pegen

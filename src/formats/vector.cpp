#include "formats/vector.h"

#include <fmt/format.h>

#include <cmath>

#include "figure/paint.h"

namespace pegen {

Anchor anchor_of(TextRole role) {
    constexpr Anchor start{"start", 0}, middle{"middle", 0.5}, end{"end", 1};
    switch (role) {
        case TextRole::y_tick:
            return end;
        case TextRole::colorbar_tick:
        case TextRole::x_power:
        case TextRole::y_power:
        case TextRole::colorbar_power:
        case TextRole::legend:
            return start;
        case TextRole::cell:
        case TextRole::title:
        case TextRole::panel_title:
        case TextRole::x_label:
        case TextRole::y_label:
        case TextRole::colorbar_label:
        case TextRole::x_tick:
            break;
    }
    return middle;
}

std::string number(double length) { return fmt::format("{}", std::round(length * 1000) / 1000); }

Image image_of(const PlacedGrid& placed, const Figure& figure) {
    Theme theme = figure.theme;
    theme.is_transparent = theme.is_transparent || theme.follows_reader;
    Image image = paint(placed.grid, figure.palette, figure.dpi, theme);
    image.is_smooth = !figure.is_bare;
    return image;
}

}  // namespace pegen

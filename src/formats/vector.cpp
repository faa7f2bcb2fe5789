#include "formats/vector.h"

#include <fmt/format.h>

#include <cmath>

#include "core/utf8.h"
#include "figure/paint.h"

namespace pegen {
namespace {

bool is_in_xml(char32_t code) {
    const bool is_white = code == '\t' || code == '\n' || code == '\r';
    return is_white || (code >= 0x20 && code != 0xfffe && code != 0xffff);
}

std::string_view escaped(const Character& character) {
    switch (character.code) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        case '\'':
            return "&apos;";
        case '\r':
            return "&#13;";  // readers turn a bare CR into a line feed
        default:
            return is_in_xml(character.code) ? character.bytes : "";
    }
}

}  // namespace

std::string xml_text(std::string_view text) {
    std::string result;
    for (const Character& character : decode_utf8(text)) result += escaped(character);
    return result;
}

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

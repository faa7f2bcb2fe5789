#include "figure/theme.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.h"
#include "figure/image.h"

namespace pegen {
namespace {

/// Reads a colour, "#1f1f1f" or "#fff". Throws: UsageError.
Rgb colour_of(std::string_view option, std::string_view text) {
    const std::string_view digits = text.starts_with('#') ? text.substr(1) : "";
    constexpr std::string_view hexadecimal = "0123456789abcdefABCDEF";
    const bool is_colour = (digits.size() == 3 || digits.size() == 6) &&
                           digits.find_first_not_of(hexadecimal) == digits.npos;
    if (!is_colour) {
        throw UsageError(
            fmt::format("--{} '{}': must be a colour such as #1f1f1f or #fff", option, text));
    }
    const std::size_t width = digits.size() / 3;
    Rgb colour{};
    for (std::size_t i = 0; i < colour.size(); ++i) {
        int part = 0;
        const char* const begin = digits.data() + i * width;
        std::from_chars(begin, begin + width, part, 16);
        colour[i] = static_cast<std::uint8_t>(width == 1 ? 17 * part : part);
    }
    return colour;
}

}  // namespace

Rgb readable_on(Rgb colour) {
    const auto linear = [](std::uint8_t part) {
        const double share = part / 255.0;
        return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
    };
    const double light = luminance(linear(colour[0]), linear(colour[1]), linear(colour[2]));
    const bool is_light = (light + 0.05) / 0.05 > 1.05 / (light + 0.05);
    return is_light ? Rgb{0, 0, 0} : Rgb{255, 255, 255};
}

Theme dark_theme() { return {.ground = {0x12, 0x12, 0x12}, .ink = {0xe4, 0xe4, 0xe4}}; }

void check_fixed(const Theme& theme) {
    if (!theme.follows_reader) return;
    throw UsageError(
        "--theme auto: is for SVG, which can change with the reader's page; give --theme light or "
        "dark, or --transparent");
}

Theme theme_of(const Parameters& figure) {
    const std::string& word = figure.word("theme");
    Theme theme = word == "dark" ? dark_theme() : Theme();
    if (figure.has("background")) theme.ground = colour_of("background", figure.word("background"));
    if (figure.has("foreground")) theme.ink = colour_of("foreground", figure.word("foreground"));
    theme.is_transparent = figure.flag("transparent");
    theme.follows_reader = word == "auto";
    return theme;
}

}  // namespace pegen

#include "figure/paint.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/shape.h"
#include "figure/picture_colours.h"
#include "figure/strokes.h"

namespace pegen {
namespace {

/// The greys of a figure, as few as letters need to look smooth: with 8, edges visibly suffer.
constexpr std::array<std::uint8_t, 12> figure_greys{0,   23,  46,  70,  93,  116,
                                                    139, 162, 185, 209, 232, 255};

constexpr std::array<std::uint8_t, 1> ground{255};

Image blank(const Figure& figure, const PictureColours& colours) {
    const auto pixels = to_size(figure.width) * to_size(figure.height);
    Image image{figure.width,
                figure.height,
                figure.dpi,
                {},
                std::vector<std::uint8_t>(pixels, colours.place(no_value))};
    colours.apply_to(image);
    return image;
}

/// Mixes the ink, which covers a share of the pixel, into its colour.
void blacken(Image& image, int x, int y, double share, const PictureColours& colours) {
    std::uint8_t& pixel = image.pixel(x, y);
    pixel = colours.darkened(pixel, share);
}

/// Returns the share of pixel number `pixel` that lies between two edges.
double overlap(int pixel, double low, double high) {
    return std::max(0.0, std::min(high, pixel + 1.0) - std::max(low, static_cast<double>(pixel)));
}

void paint_line(Image& image, const Box& box, const PictureColours& colours) {
    const int left = std::max(0, static_cast<int>(std::floor(box.left)));
    const int top = std::max(0, static_cast<int>(std::floor(box.top)));
    const int right = std::min(image.width, static_cast<int>(std::ceil(box.right)));
    const int bottom = std::min(image.height, static_cast<int>(std::ceil(box.bottom)));
    for (int y = top; y < bottom; ++y) {
        for (int x = left; x < right; ++x) {
            blacken(image, x, y, overlap(x, box.left, box.right) * overlap(y, box.top, box.bottom),
                    colours);
        }
    }
}

/// Paints the pixels that the mask covers with `ink`.
void paint_mask(Image& image, const Mask& mask, Rgb ink, const PictureColours& colours) {
    // Few different mixtures occur, so they are cached.
    constexpr std::size_t levels = 16;
    std::array<std::array<std::optional<std::uint8_t>, levels + 1>, 256> mixtures{};
    auto coverage = mask.coverage.cbegin();
    for (int y = mask.box.top; y < mask.box.bottom; ++y) {
        for (int x = mask.box.left; x < mask.box.right; ++x) {
            const std::size_t level = (*coverage++ * levels + 127) / 255;
            const bool is_inside = x >= 0 && y >= 0 && x < image.width && y < image.height;
            if (level == 0 || !is_inside) continue;
            std::uint8_t& pixel = image.pixel(x, y);
            std::optional<std::uint8_t>& mixture = mixtures[pixel][level];
            if (!mixture) mixture = colours.mixed(pixel, ink, static_cast<double>(level) / levels);
            pixel = *mixture;
        }
    }
}

void paint_text(Image& image, const PlacedText& text, const PictureColours& colours) {
    Mask mask = text.direction == Direction::slanted ? draw_slanted(text.text, text.style)
                                                     : draw_text(text.text, text.style);
    if (text.direction == Direction::upwards) mask = turned(mask);
    if (text.colour) {
        mask.box = {mask.box.left + text.x, mask.box.top + text.y, mask.box.right + text.x,
                    mask.box.bottom + text.y};
        paint_mask(image, mask, *text.colour, colours);
        return;
    }
    auto coverage = mask.coverage.cbegin();
    for (int y = mask.box.top; y < mask.box.bottom; ++y) {
        for (int x = mask.box.left; x < mask.box.right; ++x) {
            blacken(image, text.x + x, text.y + y, *coverage++ / 255.0, colours);
        }
    }
}

void paint_grid(Image& image, const PlacedGrid& placed, const PictureColours& colours) {
    auto index = placed.grid.indices.cbegin();
    for (int y = 0; y < placed.grid.height; ++y) {
        std::transform(index, index + placed.grid.width, &image.pixel(placed.left, placed.top + y),
                       [&](std::uint16_t i) { return colours.place(i); });
        index += placed.grid.width;
    }
}

/// Returns the colours of bands, curves and texts, each once.
std::vector<Rgb> inks_of(const Figure& figure) {
    std::vector<Rgb> inks;
    const auto add = [&](Rgb ink) {
        if (std::find(inks.begin(), inks.end(), ink) == inks.end()) inks.push_back(ink);
    };
    for (const Band& band : figure.bands) add(band.colour);
    for (const Curve& curve : figure.curves) add(curve.colour);
    for (const PlacedText& text : figure.texts) {
        if (text.colour) add(*text.colour);
    }
    return inks;
}

PictureColours colours_of(const Figure& figure) {
    const std::vector<Rgb> inks = inks_of(figure);
    if (figure.grids.empty()) return {inks, figure_greys, figure.theme};
    return {figure.palette, figure_greys, figure.theme,
            figure.theme.is_transparent ? std::span(inks) : std::span<const Rgb>()};
}

}  // namespace

Image paint(const IndexGrid& grid, const Palette& palette, double dpi, const Theme& theme) {
    const bool has_blanks =
        std::find(grid.indices.begin(), grid.indices.end(), no_value) != grid.indices.end();
    const PictureColours colours(palette, std::span(ground).first(has_blanks ? 1 : 0), theme);
    Image image{grid.width, grid.height, dpi, {}, {}};
    colours.apply_to(image);
    image.pixels.resize(grid.indices.size());
    std::transform(grid.indices.begin(), grid.indices.end(), image.pixels.begin(),
                   [&](std::uint16_t index) { return colours.place(index); });
    return image;
}

Image paint(const Figure& figure) {
    if (figure.is_bare)
        return paint(figure.grids.front().grid, figure.palette, figure.dpi, figure.theme);
    const PictureColours colours = colours_of(figure);
    Image image = blank(figure, colours);
    image.is_smooth = !figure.grids.empty();
    for (const PlacedGrid& grid : figure.grids) paint_grid(image, grid, colours);
    for (const Band& band : figure.bands) paint_mask(image, cover(band), band.colour, colours);
    for (const Curve& curve : figure.curves) {
        paint_mask(image, cover(curve), curve.colour, colours);
    }
    for (const Box& line : figure.lines) paint_line(image, line, colours);
    for (const PlacedText& text : figure.texts) paint_text(image, text, colours);
    return image;
}

std::vector<std::optional<Rgb>> paint_without_ground(const Figure& figure) {
    std::vector<std::optional<Rgb>> pixels(to_size(figure.width) * to_size(figure.height));
    const auto put = [&](int x, int y, Rgb colour) {
        if (x < 0 || y < 0 || x >= figure.width || y >= figure.height) return;
        pixels[to_size(y) * to_size(figure.width) + to_size(x)] = colour;
    };
    for (const PlacedGrid& placed : figure.grids) {
        auto index = placed.grid.indices.cbegin();
        for (int y = 0; y < placed.grid.height; ++y) {
            for (int x = 0; x < placed.grid.width; ++x, ++index) {
                if (*index != no_value) {
                    put(placed.left + x, placed.top + y, figure.palette[*index]);
                }
            }
        }
    }
    const auto put_mask = [&](const Mask& mask, Rgb colour) {
        auto coverage = mask.coverage.cbegin();
        for (int y = mask.box.top; y < mask.box.bottom; ++y) {
            for (int x = mask.box.left; x < mask.box.right; ++x) {
                if (*coverage++ >= 128) put(x, y, colour);
            }
        }
    };
    for (const Band& band : figure.bands) put_mask(cover(band), band.colour);
    for (const Curve& curve : figure.curves) put_mask(cover(curve), curve.colour);
    return pixels;
}

}  // namespace pegen

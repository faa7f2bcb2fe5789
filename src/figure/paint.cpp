#include "pegen/figure/paint.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "pegen/figure/picture_colours.h"

namespace pegen {
namespace {

/// As few as letters need to look as smooth as with 256: with 8, edges are seen to be lost.
constexpr std::array<std::uint8_t, 12> figure_greys{0,   23,  46,  70,  93,  116,
                                                    139, 162, 185, 209, 232, 255};

constexpr std::array<std::uint8_t, 1> white{255};

Image blank(const Figure& figure, const PictureColours& colours) {
    const auto pixels =
        static_cast<std::size_t>(figure.width) * static_cast<std::size_t>(figure.height);
    return {figure.width, figure.height, figure.dpi, colours.list(),
            std::vector<std::uint8_t>(pixels, colours.place(no_value))};
}

/// Black over the pixel, covering a share of it.
void blacken(Image& image, int x, int y, double share, const PictureColours& colours) {
    std::uint8_t& place = image.place(x, y);
    place = colours.darkened(place, share);
}

/// The share of pixel number `pixel` between two edges.
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

void paint_text(Image& image, const PlacedText& text, const PictureColours& colours) {
    TextMask mask = draw_text(text.text, text.style);
    if (text.direction == Direction::upwards) mask = turned(mask);
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
        std::transform(index, index + placed.grid.width, &image.place(placed.left, placed.top + y),
                       [&](std::uint16_t i) { return colours.place(i); });
        index += placed.grid.width;
    }
}

}  // namespace

Image paint(const IndexGrid& grid, const Palette& palette, double dpi) {
    const bool has_blanks =
        std::find(grid.indices.begin(), grid.indices.end(), no_value) != grid.indices.end();
    const PictureColours colours(palette, std::span(white).first(has_blanks ? 1 : 0));
    Image image{grid.width, grid.height, dpi, colours.list(), {}};
    image.places.resize(grid.indices.size());
    std::transform(grid.indices.begin(), grid.indices.end(), image.places.begin(),
                   [&](std::uint16_t index) { return colours.place(index); });
    return image;
}

Image paint(const Figure& figure) {
    if (figure.is_bare) return paint(figure.grids.front().grid, figure.palette, figure.dpi);
    const PictureColours colours(figure.palette, figure_greys);
    Image image = blank(figure, colours);
    image.is_smooth = true;
    for (const PlacedGrid& grid : figure.grids) paint_grid(image, grid, colours);
    for (const Box& line : figure.lines) paint_line(image, line, colours);
    for (const PlacedText& text : figure.texts) paint_text(image, text, colours);
    return image;
}

}  // namespace pegen

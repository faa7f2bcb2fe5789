#include "pegen/figure/paint.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "pegen/figure/resample.h"

namespace pegen {
namespace {

constexpr Rgb white{255, 255, 255};

Rgb colour_of(std::uint16_t index, const Palette& palette) {
    return index == no_value ? white : palette[index];
}

Image blank(int width, int height, double dpi) {
    return {width, height, dpi,
            std::vector<Rgb>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                             white)};
}

/// Black over the pixel, covering a share of it.
void blacken(Rgb& pixel, double share) {
    for (std::uint8_t& level : pixel) {
        level = static_cast<std::uint8_t>(std::lround(level * (1 - share)));
    }
}

/// The share of pixel number `pixel` between two edges.
double overlap(int pixel, double low, double high) {
    return std::max(0.0, std::min(high, pixel + 1.0) - std::max(low, static_cast<double>(pixel)));
}

void paint_line(Image& image, const Box& box) {
    const int left = std::max(0, static_cast<int>(std::floor(box.left)));
    const int top = std::max(0, static_cast<int>(std::floor(box.top)));
    const int right = std::min(image.width, static_cast<int>(std::ceil(box.right)));
    const int bottom = std::min(image.height, static_cast<int>(std::ceil(box.bottom)));
    for (int y = top; y < bottom; ++y) {
        for (int x = left; x < right; ++x) {
            blacken(image.at(x, y),
                    overlap(x, box.left, box.right) * overlap(y, box.top, box.bottom));
        }
    }
}

void paint_text(Image& image, const PlacedText& text) {
    TextMask mask = draw_text(text.text, text.style);
    if (text.direction == Direction::upwards) mask = turned(mask);
    auto coverage = mask.coverage.cbegin();
    for (int y = mask.box.top; y < mask.box.bottom; ++y) {
        for (int x = mask.box.left; x < mask.box.right; ++x) {
            blacken(image.at(text.x + x, text.y + y), *coverage++ / 255.0);
        }
    }
}

/// Not beyond the frame, whose middle is on the last pixels.
void paint_body(Image& image, const Layout& layout, const IndexGrid& body, const Palette& palette) {
    const PixelArea& area = layout.body;
    assert(body.width == area.width && body.height == area.height);
    const auto pixel = [](double edge) { return static_cast<int>(std::floor(edge + 0.5)); };
    const int left = std::max(area.left, pixel(layout.axes.left));
    const int top = std::max(area.top, pixel(layout.axes.top));
    const int right = std::min(area.left + area.width - 1, pixel(layout.axes.right));
    const int bottom = std::min(area.top + area.height - 1, pixel(layout.axes.bottom));
    for (int y = top; y <= bottom; ++y) {
        const auto row =
            static_cast<std::size_t>(y - area.top) * static_cast<std::size_t>(area.width) +
            static_cast<std::size_t>(left - area.left);
        std::transform(&body.indices[row], &body.indices[row] + (right - left + 1),
                       &image.at(left, y),
                       [&](std::uint16_t index) { return colour_of(index, palette); });
    }
}

void paint_colorbar(Image& image, const PixelArea& area, const Palette& palette) {
    const auto colours = static_cast<std::int64_t>(palette.size());
    for (int y = 0; y < area.height; ++y) {
        const auto index = static_cast<std::size_t>(nearest_cell(y, area.height, colours));
        const Rgb colour = palette[palette.size() - 1 - index];
        for (int x = 0; x < area.width; ++x) image.at(area.left + x, area.top + y) = colour;
    }
}

}  // namespace

Image paint(const IndexGrid& grid, const Palette& palette, double dpi) {
    Image image{grid.width, grid.height, dpi, {}};
    image.pixels.reserve(grid.indices.size());
    for (const std::uint16_t index : grid.indices) {
        image.pixels.push_back(colour_of(index, palette));
    }
    return image;
}

Image paint(const Layout& layout, const IndexGrid& body, const Palette& palette) {
    Image image = blank(layout.width, layout.height, layout.dpi);
    paint_body(image, layout, body, palette);
    if (layout.colorbar) paint_colorbar(image, layout.colorbar_body, palette);
    for (const Box& line : layout.lines) paint_line(image, line);
    for (const PlacedText& text : layout.texts) paint_text(image, text);
    return image;
}

}  // namespace pegen

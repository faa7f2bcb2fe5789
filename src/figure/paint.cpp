#include "figure/paint.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <vector>

#include "core/shape.h"
#include "figure/strokes.h"

namespace pegen {
namespace {

Rgb grey(std::uint8_t level) { return {level, level, level}; }

bool is_grey(Rgb colour) { return colour == grey(colour[0]); }

/// Returns the colour that results if `ink` covers a share of `ground`.
Rgb mix(Rgb ground, Rgb ink, double share) {
    Rgb colour{};
    for (std::size_t i = 0; i < colour.size(); ++i) {
        colour[i] = static_cast<std::uint8_t>(std::lround(std::lerp(ground[i], ink[i], share)));
    }
    return colour;
}

int distance(Rgb a, Rgb b) {
    int sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

bool has_all(const Palette& map, std::span<const std::uint8_t> greys) {
    return std::all_of(greys.begin(), greys.end(), [&](std::uint8_t level) {
        return std::find(map.begin(), map.end(), grey(level)) != map.end();
    });
}

/// Scales i from the range 0 ... last to the range 0 ... other_last and rounds it to the nearest.
std::size_t scaled(std::size_t i, std::size_t last, std::size_t other_last) {
    return (2 * i * other_last + last) / (2 * last);
}

}  // namespace

void PictureColours::find_nearest_shades() {
    std::vector<std::size_t> shades;
    for (std::size_t place = 0; place < levels_.size(); ++place) {
        if (levels_[place]) shades.push_back(place);
    }
    for (int level = 0; level < 256 && !shades.empty(); ++level) {
        const auto distance = [&](std::size_t place) { return std::abs(*levels_[place] - level); };
        nearest_shades_[level] = static_cast<std::uint8_t>(*std::min_element(
            shades.begin(), shades.end(),
            [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); }));
    }
}

PictureColours::PictureColours(const Palette& map, std::span<const std::uint8_t> levels,
                               const Theme& theme, std::span<const Rgb> inks)
    : theme_(theme) {
    assert(levels.size() + inks.size() <= 128);
    // Greys of the data are shades as well, unless the theme changes its shades alone.
    const bool is_usual = theme == Theme();
    const std::size_t added = is_usual && has_all(map, levels) ? 0 : levels.size();
    const std::size_t last_kept = map.size() - added - inks.size() - 1;
    const std::size_t last = map.size() - 1;
    for (std::size_t place = 0; place <= last_kept; ++place) {
        list_[place] = map[scaled(place, last_kept, last)];
        if (is_usual && is_grey(list_[place])) levels_[place] = list_[place][0];
    }
    for (std::size_t i = 0; i < added; ++i) {
        const std::size_t place = last_kept + 1 + i;
        list_[place] = mix(theme.ink, theme.ground, levels[i] / 255.0);
        levels_[place] = levels[i];
        covers_[place] = {theme.ink, 1 - levels[i] / 255.0};
    }
    std::copy(inks.begin(), inks.end(), list_.end() - std::ssize(inks));
    find_nearest_shades();
    for (std::size_t index = 0; index <= last; ++index) {
        places_[index] = static_cast<std::uint8_t>(scaled(index, last, last_kept));
    }
    places_[no_value] = nearest_shades_[255];
}

PictureColours::PictureColours(std::span<const Rgb> inks, std::span<const std::uint8_t> levels,
                               const Theme& theme)
    : theme_(theme) {
    assert(inks.size() <= 16 && levels.size() <= 128);
    const std::size_t shades = std::min<std::size_t>(
        16, (list_.size() - levels.size()) / std::max<std::size_t>(1, inks.size()));
    std::size_t place = 0;
    const auto add = [&](Rgb ink, double share) {
        list_[place] = mix(theme.ground, ink, share);
        covers_[place++] = {ink, share};
    };
    for (const std::uint8_t level : levels) {
        levels_[place] = level;
        add(theme.ink, 1 - level / 255.0);
    }
    for (const Rgb& ink : inks) {
        for (std::size_t shade = 1; shade <= shades; ++shade) {
            add(ink, static_cast<double>(shade) / static_cast<double>(shades));
        }
    }
    while (place < list_.size()) add(theme.ground, 0);
    for (std::size_t i = 0; i < list_.size(); ++i) {
        if (theme == Theme() && is_grey(list_[i])) levels_[i] = list_[i][0];
    }
    find_nearest_shades();
    places_.fill(nearest_shades_[255]);
}

void PictureColours::apply_to(Image& image) const {
    image.colours = list_;
    if (!theme_.is_transparent) return;
    image.opacities.assign(list_.size(), 255);
    for (std::size_t place = 0; place < list_.size(); ++place) {
        if (!covers_[place]) continue;
        image.colours[place] = covers_[place]->ink;
        image.opacities[place] =
            static_cast<std::uint8_t>(std::lround(255 * covers_[place]->share));
    }
}

std::uint8_t PictureColours::mixed(std::uint8_t place, Rgb ink, double share) const {
    // On a transparent ground, what covers a pixel stays: no mixture lets the page shine through.
    const auto covers_all = [&](std::size_t other) {
        return !covers_[other] || covers_[other]->share == 1;
    };
    const bool must_cover = theme_.is_transparent && covers_all(place);
    if (must_cover && share <= 0.5) return place;
    const Rgb wanted = must_cover ? ink : mix(list_[place], ink, share);
    std::optional<std::size_t> nearest;
    for (std::size_t other = 0; other < list_.size(); ++other) {
        if (must_cover && !covers_all(other)) continue;
        const bool is_nearer =
            !nearest || distance(list_[other], wanted) < distance(list_[*nearest], wanted);
        if (is_nearer) nearest = other;
    }
    return static_cast<std::uint8_t>(*nearest);
}

std::uint8_t PictureColours::darkened(std::uint8_t place, double share) const {
    const std::optional<std::uint8_t> level = levels_[place];
    if (!level) return share > 0.25 ? nearest_shades_[0] : place;
    return nearest_shades_[std::lround(*level * (1 - share))];
}

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

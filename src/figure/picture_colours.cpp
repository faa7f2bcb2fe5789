#include "figure/picture_colours.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <vector>

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

}  // namespace pegen

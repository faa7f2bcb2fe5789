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

constexpr Rgb white{255, 255, 255};

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

/// Returns, for each level, the place in the list of the nearest grey.
std::array<std::uint8_t, 256> find_nearest_greys(const std::array<Rgb, 256>& list) {
    std::vector<std::size_t> greys;
    for (std::size_t place = 0; place < list.size(); ++place) {
        if (is_grey(list[place])) greys.push_back(place);
    }
    std::array<std::uint8_t, 256> nearest{};
    for (int level = 0; level < 256 && !greys.empty(); ++level) {
        const auto distance = [&](std::size_t place) { return std::abs(list[place][0] - level); };
        nearest[level] = static_cast<std::uint8_t>(*std::min_element(
            greys.begin(), greys.end(),
            [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); }));
    }
    return nearest;
}

}  // namespace

PictureColours::PictureColours(const Palette& map, std::span<const std::uint8_t> greys) {
    assert(greys.size() <= 128);
    const std::size_t added = has_all(map, greys) ? 0 : greys.size();
    const std::size_t last_kept = map.size() - added - 1;
    const std::size_t last = map.size() - 1;
    for (std::size_t place = 0; place <= last_kept; ++place) {
        list_[place] = map[scaled(place, last_kept, last)];
    }
    for (std::size_t i = 0; i < added; ++i) list_[last_kept + 1 + i] = grey(greys[i]);
    nearest_greys_ = find_nearest_greys(list_);
    for (std::size_t index = 0; index <= last; ++index) {
        places_[index] = static_cast<std::uint8_t>(scaled(index, last, last_kept));
    }
    places_[no_value] = nearest_greys_[255];
}

PictureColours::PictureColours(std::span<const Rgb> inks, std::span<const std::uint8_t> greys)
    : list_{} {
    assert(inks.size() <= 16 && greys.size() <= 128);
    const std::size_t shades = std::min<std::size_t>(
        16, (list_.size() - greys.size()) / std::max<std::size_t>(1, inks.size()));
    std::size_t place = 0;
    for (const std::uint8_t level : greys) list_[place++] = grey(level);
    for (const Rgb& ink : inks) {
        for (std::size_t shade = 1; shade <= shades; ++shade) {
            list_[place++] =
                mix(white, ink, static_cast<double>(shade) / static_cast<double>(shades));
        }
    }
    std::fill(list_.begin() + static_cast<std::ptrdiff_t>(place), list_.end(), white);
    nearest_greys_ = find_nearest_greys(list_);
    places_.fill(nearest_greys_[255]);
}

std::uint8_t PictureColours::mixed(std::uint8_t place, Rgb ink, double share) const {
    const Rgb wanted = mix(list_[place], ink, share);
    const auto nearest = std::min_element(list_.begin(), list_.end(), [&](Rgb a, Rgb b) {
        return distance(a, wanted) < distance(b, wanted);
    });
    return static_cast<std::uint8_t>(nearest - list_.begin());
}

std::uint8_t PictureColours::darkened(std::uint8_t place, double share) const {
    const Rgb colour = list_[place];
    if (!is_grey(colour)) return share > 0.25 ? nearest_greys_[0] : place;
    return nearest_greys_[std::lround(colour[0] * (1 - share))];
}

}  // namespace pegen

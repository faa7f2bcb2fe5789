#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "figure/figure.h"

namespace pegen {

/// Returns at which ends of the colour bar there are values beyond the limits of the colours.
Arrows arrows_of(Limits of_values, Limits of_colours);

/// Returns the part of a colour bar between its arrows; each arrow is a twentieth as high as this
/// part.
Box between_arrows(const Box& whole, Arrows arrows);

/// Adds the arrows of a colour bar to the figure; `bar` is the part between the arrows.
void add_arrows(Figure& figure, const Box& bar, Arrows arrows, double line_width);

/// The values that a colour bar of steps shows: the whole numbers from `first` to `last`.
struct ColorbarSteps {
    double first;
    double last;

    bool operator==(const ColorbarSteps&) const = default;
};

/// Returns the steps between the limits of the colours. Returns nothing if there would be more than
/// 16 steps, or if a bar of `pixels` pixels has fewer than two pixels for each step.
std::optional<ColorbarSteps> steps_within(Limits limits, int pixels);

/// Returns the scale of a bar on which each step has height 1 and its value in the middle.
Scale scale_of(const ColorbarSteps& steps);

/// Returns the colour indices of the steps, from the lowest step up.
std::vector<std::uint16_t> colours_of(const ColorbarSteps& steps, Limits limits);

/// Returns all 256 colour indices, from the lowest up.
std::vector<std::uint16_t> all_colours();

/// Returns a colour bar with these colour indices as cells of equal height, the last one on top.
PlacedGrid colorbar_grid(const PixelArea& area, std::span<const std::uint16_t> colours);

}  // namespace pegen

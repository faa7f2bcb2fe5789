#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "figure/figure.h"

namespace pegen {

/// The values that a colour bar of steps shows: the whole numbers from one to the other.
struct ColorbarSteps {
    double first;
    double last;

    bool operator==(const ColorbarSteps&) const = default;
};

/// Returns the steps between the limits of the colours; none if there would be more than 16, or if
/// a bar of `pixels` has fewer than two for each.
std::optional<ColorbarSteps> steps_within(Limits limits, int pixels);

/// The scale of a bar on which each step is 1 high and its value in the middle.
Scale scale_of(const ColorbarSteps& steps);

/// The indices of the steps' colours, from the lowest.
std::vector<std::uint16_t> colours_of(const ColorbarSteps& steps, Limits limits);

/// All 256 indices, from the lowest.
std::vector<std::uint16_t> all_colours();

/// Returns a colour bar with these indices, each as high as the others, the last on top.
PlacedGrid colorbar_grid(const PixelArea& area, std::span<const std::uint16_t> colours);

}  // namespace pegen

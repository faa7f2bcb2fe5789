#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "figure/figure.h"

namespace pegen {

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

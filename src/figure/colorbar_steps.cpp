#include "figure/colorbar_steps.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "figure/resample.h"

namespace pegen {

std::optional<ColorbarSteps> steps_within(Limits limits, int pixels) {
    constexpr int most_steps = 16, least_pixels = 2;
    const ColorbarSteps steps{std::ceil(limits.low), std::floor(limits.high)};
    const double count = steps.last - steps.first + 1;
    if (count < 1 || count > std::min(most_steps, pixels / least_pixels)) return std::nullopt;
    return steps;
}

Scale scale_of(const ColorbarSteps& steps) {
    return {ScaleKind::indices, steps.first - 0.5, steps.last + 0.5, {}};
}

std::vector<std::uint16_t> colours_of(const ColorbarSteps& steps, Limits limits) {
    std::vector<std::uint16_t> colours;
    for (double value = steps.first; value <= steps.last; ++value) {
        colours.push_back(colour_index(value, limits));
    }
    return colours;
}

std::vector<std::uint16_t> all_colours() {
    std::vector<std::uint16_t> colours(no_value);
    std::iota(colours.begin(), colours.end(), std::uint16_t{0});
    return colours;
}

PlacedGrid colorbar_grid(const PixelArea& area, std::span<const std::uint16_t> colours) {
    PlacedGrid bar{area.left, area.top, {area.width, area.height, {}}};
    for (int y = 0; y < area.height; ++y) {
        const std::size_t from_top = nearest_cell(y, area.height, std::ssize(colours));
        bar.grid.indices.insert(bar.grid.indices.end(), area.width,
                                colours[colours.size() - 1 - from_top]);
    }
    return bar;
}

}  // namespace pegen

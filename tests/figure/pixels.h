#pragma once

#include <vector>

#include "figure/image.h"

namespace pegen {

/// The colours of all pixels, row-major.
inline std::vector<Rgb> pixels(const Image& image) {
    std::vector<Rgb> colours;
    for (const std::uint8_t place : image.pixels) colours.push_back(image.colours[place]);
    return colours;
}

}  // namespace pegen

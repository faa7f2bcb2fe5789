#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pegen/figure/image.h"

namespace pegen {

/// An image of at most 256 colours: those, in the order in which they are met, and a byte a pixel.
struct Paletted {
    std::vector<Rgb> colours;
    std::string places;
};

/// Nothing where there are more colours.
std::optional<Paletted> paletted(const Image& image);

}  // namespace pegen

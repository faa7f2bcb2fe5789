#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace pegen {

using Rgb = std::array<std::uint8_t, 3>;

/// Pixels, row-major from the top left.
struct Image {
    int width = 0;
    int height = 0;
    double dpi = 100;
    std::vector<Rgb> pixels;  ///< width * height

    Rgb& at(int x, int y) {
        return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(x)];
    }
    const Rgb& at(int x, int y) const { return const_cast<Image&>(*this).at(x, y); }
};

}  // namespace pegen

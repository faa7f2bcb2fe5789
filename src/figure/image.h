#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/shape.h"

namespace pegen {

using Rgb = std::array<std::uint8_t, 3>;

/// Pixels of at most 256 colours, row-major from the top left.
struct Image {
    int width = 0;
    int height = 0;
    double dpi = 100;
    std::array<Rgb, 256> colours{};
    std::vector<std::uint8_t> pixels;  ///< width * height indices of `colours`
    /// The opacity of each colour, from 0 to 255; empty if all are opaque.
    std::vector<std::uint8_t> opacities{};
    bool is_smooth = false;  ///< a hint for encoders: lines resemble those above them

    std::uint8_t& pixel(int x, int y) { return pixels[offset(x, y)]; }
    Rgb at(int x, int y) const { return colours[pixels[offset(x, y)]]; }

  private:
    std::size_t offset(int x, int y) const { return to_size(y) * to_size(width) + to_size(x); }
};

/// The box of the pixels of something drawn, relative to its origin, which is a whole pixel; y runs
/// downwards; right and bottom are exclusive. All zero if nothing is drawn.
struct InkBox {
    int left;
    int top;
    int right;
    int bottom;

    bool operator==(const InkBox&) const = default;
};

/// The coverage of each pixel of a box, 0 to 255; row-major.
struct Mask {
    InkBox box;
    std::vector<std::uint8_t> coverage;
};

/// Returns the relative luminance of a colour (WCAG 2.1) of linear parts. Of parts as they are
/// stored, it is a rougher measure of how light the colour is.
constexpr double luminance(double red, double green, double blue) {
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

}  // namespace pegen

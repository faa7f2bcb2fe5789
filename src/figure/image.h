#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace pegen {

using Rgb = std::array<std::uint8_t, 3>;

/// Pixels of at most 256 colours, row-major from the top left.
struct Image {
    int width = 0;
    int height = 0;
    double dpi = 100;
    std::array<Rgb, 256> colours{};
    std::vector<std::uint8_t> places;  ///< width * height, in colours
    bool is_smooth = false;            ///< lines resemble those above them: a hint for encoders

    std::uint8_t& place(int x, int y) { return places[offset(x, y)]; }
    Rgb at(int x, int y) const { return colours[places[offset(x, y)]]; }

  private:
    std::size_t offset(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
               static_cast<std::size_t>(x);
    }
};

}  // namespace pegen

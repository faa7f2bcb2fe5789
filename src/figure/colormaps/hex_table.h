#pragma once

#include <cstddef>
#include <cstdint>

#include "figure/colormap.h"

namespace pegen {

/// Colours as 0xRRGGBB.
using HexTable = std::array<std::uint32_t, Palette().size()>;

constexpr Palette palette_from(const HexTable& table) {
    Palette palette{};
    for (std::size_t i = 0; i < palette.size(); ++i) {
        palette[i] = {static_cast<std::uint8_t>(table[i] >> 16),
                      static_cast<std::uint8_t>(table[i] >> 8 & 0xff),
                      static_cast<std::uint8_t>(table[i] & 0xff)};
    }
    return palette;
}

}  // namespace pegen

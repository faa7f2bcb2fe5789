#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "figure/colormap.h"
#include "figure/heatmap.h"
#include "figure/image.h"

namespace pegen {

/// The 256 colours of a picture: those of a colormap or of curves, and greys for all else.
/// Where the map does not have all of the greys itself, they take the room of as many of its
/// colours. Those left are evenly spread, the first and the last among them, and stand for the ones
/// left out beside them.
class PictureColours {
  public:
    /// `greys` are levels, at most 128.
    PictureColours(const Palette& map, std::span<const std::uint8_t> greys);

    /// Those of a picture without a colormap: `inks` and their shades on white, and the greys.
    /// place() of an index is that of white.
    PictureColours(std::span<const Rgb> inks, std::span<const std::uint8_t> greys);

    const std::array<Rgb, 256>& list() const { return list_; }

    /// The place in list() of the colour of an index of the map, or of one beside it. Of no_value:
    /// of white, which must be among the greys.
    std::uint8_t place(std::uint16_t index) const { return places_[index]; }

    /// The place of what the colour becomes where black covers a share of it: of a grey, the
    /// nearest grey; of another colour, black, or up to a quarter, which is all that lines cover
    /// beside their middle, the colour itself. Black must be among the greys.
    std::uint8_t darkened(std::uint8_t place, double share) const;

    /// The place of the colour nearest to what the one at `place` becomes where `ink` covers a
    /// share of it.
    std::uint8_t mixed(std::uint8_t place, Rgb ink, double share) const;

  private:
    std::array<Rgb, 256> list_;
    std::array<std::uint8_t, no_value + 1> places_;
    std::array<std::uint8_t, 256> nearest_greys_;  ///< the place in list_, for each level
};

}  // namespace pegen

#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "figure/colormap.h"
#include "figure/heatmap.h"
#include "figure/image.h"

namespace pegen {

/// The 256 colours of a picture: the colours of a colormap or of curves, and greys for everything
/// else. Greys that the colormap lacks replace some of its colours. The colours that remain are
/// evenly spread and include the first and the last; they are also used for their missing
/// neighbours.
class PictureColours {
  public:
    /// Takes the colours of a colormap and `greys`, at most 128 grey levels.
    PictureColours(const Palette& map, std::span<const std::uint8_t> greys);

    /// Takes the colours of a picture without a colormap: `inks`, their shades on white, and the
    /// greys. For any index, place() then returns the place of white.
    PictureColours(std::span<const Rgb> inks, std::span<const std::uint8_t> greys);

    const std::array<Rgb, 256>& list() const { return list_; }

    /// Returns the place in list() of the colour of an index of the colormap, or of a neighbouring
    /// colour; for no_value the place of white, which must be among the greys.
    std::uint8_t place(std::uint16_t index) const { return places_[index]; }

    /// Returns the place of the colour that results if black covers a share of a pixel. For a grey
    /// the result is the nearest grey. For another colour it is black or, up to a share of a
    /// quarter, the colour itself: pixels next to the middle of a line have no larger share. Black
    /// must be among the greys.
    std::uint8_t darkened(std::uint8_t place, double share) const;

    /// Returns the place of the colour nearest to the one that results if `ink` covers a share of a
    /// pixel.
    std::uint8_t mixed(std::uint8_t place, Rgb ink, double share) const;

  private:
    std::array<Rgb, 256> list_;
    std::array<std::uint8_t, no_value + 1> places_;
    std::array<std::uint8_t, 256> nearest_greys_;  ///< the place in list_, for each level
};

}  // namespace pegen

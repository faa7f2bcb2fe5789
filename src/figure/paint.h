#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "figure/colormap.h"
#include "figure/figure.h"
#include "figure/heatmap.h"
#include "figure/image.h"
#include "figure/theme.h"

namespace pegen {

/// The 256 colours of a picture: the colours of a colormap or of curves, and shades from the
/// theme's ink to its ground for everything else: greys, in the usual theme. Shades that the
/// colormap lacks replace some of its colours. The colours that remain are evenly spread and
/// include the first and the last; they are also used for their missing neighbours.
class PictureColours {
  public:
    /// Takes the colours of a colormap and `levels`, at most 128 shades: 0 is the ink, 255 the
    /// ground; and the inks of texts on the colours, for a transparent ground, where shades are not
    /// mixed into colours.
    PictureColours(const Palette& map, std::span<const std::uint8_t> levels,
                   const Theme& theme = {}, std::span<const Rgb> inks = {});

    /// Takes the colours of a picture without a colormap: `inks`, their shades on the ground, and
    /// the levels. For any index, place() then returns the place of the ground.
    PictureColours(std::span<const Rgb> inks, std::span<const std::uint8_t> levels,
                   const Theme& theme = {});

    const std::array<Rgb, 256>& list() const { return list_; }

    /// Gives the image these colours; on a transparent ground, shades are colours that cover it
    /// partly.
    void apply_to(Image& image) const;

    /// Returns the place in list() of the colour of an index of the colormap, or of a neighbouring
    /// colour; for no_value the place of the ground, which must be among the levels.
    std::uint8_t place(std::uint16_t index) const { return places_[index]; }

    /// Returns the place of the colour that results if the ink covers a share of a pixel. For a
    /// shade the result is the nearest shade. For another colour it is the ink or, up to a share of
    /// a quarter, the colour itself: pixels next to the middle of a line have no larger share. The
    /// ink must be among the levels.
    std::uint8_t darkened(std::uint8_t place, double share) const;

    /// Returns the place of the colour nearest to the one that results if `ink` covers a share of a
    /// pixel.
    std::uint8_t mixed(std::uint8_t place, Rgb ink, double share) const;

  private:
    /// A colour that covers the ground partly.
    struct Cover {
        Rgb ink;
        double share;
    };

    void find_nearest_shades();

    Theme theme_;
    std::array<Rgb, 256> list_{};
    std::array<std::uint8_t, no_value + 1> places_{};
    std::array<std::optional<std::uint8_t>, 256> levels_{};  ///< of the shades in list_
    std::array<std::optional<Cover>, 256> covers_{};         ///< what the shades in list_ are of
    std::array<std::uint8_t, 256> nearest_shades_{};         ///< the place in list_, for each level
};

/// Paints a grid; pixels without a value have the theme's ground. The image has all 256 colours of
/// the palette, or 255 of them if a pixel has no value.
Image paint(const IndexGrid& grid, const Palette& palette, double dpi, const Theme& theme = {});

/// Paints a figure, or only the grid of a bare figure.
Image paint(const Figure& figure);

/// Paints grids, bands and curves, but no lines and no texts. Returns the pixels row-major; a pixel
/// that is less than half covered has no value.
std::vector<std::optional<Rgb>> paint_without_ground(const Figure& figure);

}  // namespace pegen

#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "figure/figure.h"
#include "figure/medium.h"

namespace pegen {

/// matplotlib's colours of curves, "tab10".
inline constexpr std::array<Rgb, 10> curve_colours{{{0x1f, 0x77, 0xb4},
                                                    {0xff, 0x7f, 0x0e},
                                                    {0x2c, 0xa0, 0x2c},
                                                    {0xd6, 0x27, 0x28},
                                                    {0x94, 0x67, 0xbd},
                                                    {0x8c, 0x56, 0x4b},
                                                    {0xe3, 0x77, 0xc2},
                                                    {0x7f, 0x7f, 0x7f},
                                                    {0xbc, 0xbd, 0x22},
                                                    {0x17, 0xbe, 0xcf}}};

/// The colour of the range around a curve: the first colour of curves, covering a quarter of white.
inline constexpr Rgb band_colour{0xc7, 0xdd, 0xec};

/// Gives curves on a dark ground lighter colours, whose contrast with #121212 is at least 7.
/// Figures with grids keep theirs.
void brighten_on_dark(Figure& figure);

/// A curve in the units of the axes. A y that is not finite is a gap; a point between two gaps is
/// drawn as a dot.
struct Series {
    std::string name;  ///< the name in the legend; may be empty
    Rgb colour;
    std::vector<double> x;
    std::vector<double> y;
    bool has_points = false;  ///< a dot at each point
};

/// The area between two curves, in the units of the axes.
struct SeriesBand {
    std::string name;
    Rgb colour;
    std::vector<double> x;
    std::vector<double> low;
    std::vector<double> high;
};

/// Returns the series as levels: each point extends halfway to the point before it and halfway to
/// the point behind it; the points at the ends extend half a unit outwards.
Series stepped(Series series);

/// Returns the scale along which curves run: from end to end in a figure with a size of its own,
/// with_margins() in others.
Scale scale_along(ScaleKind kind, Limits ends, const Medium& medium);

/// Lays out `spec` with a legend of the curves and the band, and draws the curves over the band.
Figure compose_curves(FigureSpec spec, const std::vector<Series>& curves,
                      const std::optional<SeriesBand>& band, const Medium& medium);

}  // namespace pegen

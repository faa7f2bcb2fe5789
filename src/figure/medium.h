#pragma once

#include <memory>
#include <string_view>

#include "figure/limits.h"
#include "figure/text.h"

namespace pegen {

/// Edges in pixels from the top left of the picture; they need not be whole.
struct Box {
    double left;
    double top;
    double right;
    double bottom;

    double width() const { return right - left; }
    double height() const { return bottom - top; }
};

/// The measures of a window or a picture on which figures are drawn: where its axes may be, how its
/// texts are measured, and the lengths of ticks, gaps and lines. All lengths are in pixels.
struct Medium {
    int width;
    int height;
    double dpi;
    bool is_window;     ///< a terminal window: a bare heatmap must fit, and no text runs upwards
    bool is_tight;      ///< margins are as wide as the texts, not as in the default figure
    bool has_own_size;  ///< texts keep their size, even if some do not fit
    double font_size;   ///< of labels, in points

    Box axes_alone;  ///< the place of the axes, here and below
    Box axes_beside_colorbar;
    Box axes_beside_legend;
    double colorbar_left;
    double colorbar_width;
    double least_colorbar;  ///< the least width; a narrower colour bar is left out
    double legend_left;     ///< 0 if there is no room for a legend

    // Lengths for margins that are as wide as their texts:
    double edge;          ///< between texts and the edge of the picture
    double colorbar_gap;  ///< the least gap between axes and colour bar, and least bar width

    double panel_gap;  ///< between panels side by side

    double line_width;
    double tick_length;
    double minor_tick_length;
    double x_tick_pad;  ///< between a tick and its label
    double y_tick_pad;
    double label_pad;         ///< between tick labels and the label of the axis
    double title_pad;         ///< between the axes and the title's baseline
    double raised_title_pad;  ///< the title's pad if title_pad would let it touch tick labels
    double text_gap;          ///< the least gap between texts side by side
    double legend_line;       ///< length of the sample of a curve in a legend
    double legend_pitch;      ///< distance from one line of a legend to the next
    double curve_width;
    double point_width;  ///< diameter of a dot on a curve
    double space_per_x_tick;
    double space_per_y_tick;

    TextStyle text_style;
    TextStyle title_style;
    LineHeight line;  ///< the line height of text_style
    LineHeight title_line;
    int line_step;  ///< baselines are at multiples of it
    double (*advance)(std::string_view, const TextStyle&);
    InkBox (*ink)(std::string_view, const TextStyle&);

    /// Values that the axis of the values or the colours must have room for besides the figure's
    /// own, so that all pictures of an animation have the same limits.
    Limits least_limits = no_limits;

    /// True for a picture of an animation.
    bool is_frame() const { return least_limits != no_limits; }
};

/// Returns a picture with the proportions of matplotlib 3.6's default figure (docs/figures.md); its
/// texts are in `font`, and may lack characters (TextStyle) if somebody else draws them.
/// Throws: UsageError if it has fewer than 50 pixels across or down, or more than 2^28.
Medium picture_medium(double inches_wide, double inches_high, double dpi,
                      std::shared_ptr<const Font> font = nullptr, bool may_lack = false);

/// Returns the picture with texts, ticks and gaps of `scale` times their size for its font size.
Medium with_text_scale(Medium picture, double scale);

/// Returns the picture with labels of this size in points, and with lines, ticks and gaps in
/// proportion, for a figure with tight margins.
Medium with_font_size(Medium picture, double points);

/// Returns the window of a terminal of columns x lines characters, each of them one pixel wide and
/// two high. A small window has room for the axes only.
Medium window_medium(int columns, int lines);

/// Checks the size of a picture. Throws: UsageError if it has more than 2^28 pixels.
void check_picture_size(double width, double height);

}  // namespace pegen

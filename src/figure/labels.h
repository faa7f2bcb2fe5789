#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "figure/frames.h"
#include "figure/layout.h"
#include "figure/page.h"
#include "figure/ticks.h"

namespace pegen {

/// A text in one line or more.
struct TextBlock {
    TextRole role;
    std::vector<std::string> lines;  ///< no lines for an empty text
    TextStyle style;
    LineHeight line;
    double pitch;   ///< distance from a baseline to the next
    double length;  ///< length of the longest line

    /// Returns the distance from the first baseline to the last.
    double last_baseline() const;
    /// Returns the distance from the top of the first line to the bottom of the last; 0 without
    /// lines.
    double thickness() const;
};

/// Returns a text in lines no longer than `limit`; in a window, the part of the text that fits.
TextBlock text_block(TextRole role, const std::string& text, const Medium& medium,
                     double limit = std::numeric_limits<double>::infinity());

/// The texts that say what a figure shows.
struct Names {
    TextBlock title;
    TextBlock x_label;
    TextBlock y_label;
    TextBlock colorbar_label;
};

/// Returns the names for axes in their usual places: each in one line if the picture is long
/// enough. In a window the names are shortened.
Names usual_names(const FigureSpec& spec, const Medium& medium);

/// Returns the names in lines so short that they do not touch each other around axes of any size.
Names fitted_names(const FigureSpec& spec, const Medium& medium);

/// Returns the part of a picture between the title, the bottom edge, and the labels of upright
/// axes.
Box between(const Names& names, const Medium& medium);

/// Axes with the same scale and so with the same ticks.
struct TickedAxes {
    const Scale& scale;
    std::vector<Box> boxes;
    int intervals;  ///< the largest number of intervals between ticks
    std::function<double(double value, const Box&)> pixel;
    std::function<double(const Box&)> edge;  ///< the edge of the frame where ticks begin
    std::function<PlacedText(const std::string& label, double value, const Box&)> label;
    /// Places the text of the power of ten by which the labels are multiplied; null if each label
    /// shows its own exponent.
    std::function<PlacedText(const std::string& power)> power;
    /// Place names that have no room side by side so that they run to the upper right, or upwards;
    /// null for other axes, and `slanted` for texts without a size of their own.
    std::function<PlacedText(const std::string& label, double value, const Box&)> slanted = nullptr;
    std::function<PlacedText(const std::string& label, double value, const Box&)> upright = nullptr;
};

TickedAxes x_axes(const Scale& scale, const std::vector<Box>& boxes, const Medium& medium);
TickedAxes y_axes(const Scale& scale, const std::vector<Box>& boxes, const Medium& medium);
/// Returns the axis of a colour bar. `bar` is the whole bar; its arrows have no ticks.
TickedAxes colorbar_axis(const FigureSpec& spec, const Box& bar, const Medium& medium);

/// Ticks, and the labels that were placed.
struct LabelledTicks {
    std::vector<Tick> ticks;
    std::vector<std::string> labels;  ///< empty if there was no room for them
    bool has_power = false;
    Direction direction = Direction::rightwards;  ///< of the labels
};

/// Places labels for the finest ticks whose labels all fit on the page, and returns these ticks.
/// Names run to the upper right, or upwards, rather than that some are left out. If no labels fit,
/// or names lack only margins, returns the ticks of the finest step without labels.
LabelledTicks place_ticks(Page& page, const TickedAxes& axes);

/// Returns the width that the ticks and labels of an upright axis take, from the axis to the end of
/// the widest label.
double tick_room(const LabelledTicks& ticks, const Medium& medium);

/// Returns the height that the ticks and labels below an axis take.
double tick_room_below(const LabelledTicks& ticks, const Medium& medium);

/// Returns the height that a power of ten above an axis takes; 0 if there is none.
double power_room(const LabelledTicks& ticks, const Medium& medium);

/// A tick on an axis, in pixels.
struct PlacedTick {
    double pixel;  ///< position along the axis
    double edge;   ///< the edge of the frame where it begins
    bool is_minor;
};

/// The parts around the axes: all ticks, and the texts that fit.
struct Labels {
    std::vector<PlacedTick> x_ticks;
    std::vector<PlacedTick> y_ticks;
    std::vector<PlacedTick> colorbar_ticks;
    std::vector<Curve> sample_curves;
    std::vector<Band> sample_bands;
    std::vector<PlacedText> texts;
    std::vector<TextRole> left_out;  ///< roles of texts without room, each once
};

/// The ticks of all axes of a figure.
struct AxesTicks {
    LabelledTicks x;
    LabelledTicks y;
    LabelledTicks colorbar;
};

/// Places the labels of the ticks, and returns the ticks.
AxesTicks place_axes_ticks(Page& page, const FigureSpec& spec, const Frames& frames,
                           const Medium& medium);

/// Places ticks, tick labels, legend, axis labels and titles, in this order of importance. A text
/// that would touch a part placed before, or stick out of the picture, is left out.
Labels place_labels(const FigureSpec& spec, const Names& names, const Frames& frames,
                    const Medium& medium);

/// Returns the height above the axes that the title and powers of ten take.
double titles_room(const Names& names, const AxesTicks& ticks, const Medium& medium);

}  // namespace pegen

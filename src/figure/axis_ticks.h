#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "figure/layout.h"
#include "figure/page.h"
#include "figure/ticks.h"

namespace pegen {

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

}  // namespace pegen

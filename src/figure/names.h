#pragma once

#include <limits>
#include <string>
#include <vector>

#include "figure/layout.h"

namespace pegen {

/// A text in one line or more.
struct TextBlock {
    TextRole role;
    std::vector<std::string> lines;  ///< none of an empty text
    TextStyle style;
    LineHeight line;
    double pitch;   ///< from a baseline to the next
    double length;  ///< of the longest line

    /// From the first baseline to the last.
    double last_baseline() const;
    /// From the top of the first line to the bottom of the last; 0 without lines.
    double thickness() const;
};

/// Returns a text in lines no longer than `limit`; in a window, the part of it that has room.
TextBlock text_block(TextRole role, const std::string& text, const Medium& medium,
                     double limit = std::numeric_limits<double>::infinity());

/// The texts that say what a figure shows.
struct Names {
    TextBlock title;
    TextBlock x_label;
    TextBlock y_label;
    TextBlock colorbar_label;
};

/// Returns the names as they stand around axes in their usual places: in one line if the picture is
/// long enough. In a window they are shortened.
Names usual_names(const FigureSpec& spec, const Medium& medium);

/// Returns the names in lines so short that they keep clear of each other around axes of any size.
Names fitted_names(const FigureSpec& spec, const Medium& medium);

/// The part of a picture between the title, the edge below, and the labels of upright axes.
Box between(const Names& names, const Medium& medium);

}  // namespace pegen

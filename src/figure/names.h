#pragma once

#include <limits>
#include <string>
#include <vector>

#include "figure/layout.h"

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

}  // namespace pegen

#pragma once

#include <limits>
#include <vector>

#include "figure/layout.h"

namespace pegen {

/// Bounds that hold any text.
inline constexpr Box everywhere{
    -std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
    std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

/// The texts placed so far, the pixels that texts must not touch, and the bounds of the texts.
struct Page {
    const Medium& medium;
    Box bounds;
    std::vector<PlacedText> texts{};
    std::vector<InkBox> inks{};  ///< pixels of the texts and of parts placed before them
};

/// Marks the pixels of a box as taken.
void take(Page& page, const Box& box);

/// Places all of `texts`, all of which are slanted or none, and returns true. Places no text and
/// returns false if one of them would stick out of the bounds or touch another part.
bool place(Page& page, const std::vector<PlacedText>& texts);

/// Returns the nearest whole pixel; halves are rounded to even, like matplotlib.
int whole(double pixels);

/// Returns a text in the style of `medium` that begins at x and runs to the right.
PlacedText across(const Medium& medium, TextRole role, const std::string& text, double x,
                  double baseline);

/// Returns where a text of `length` begins whose middle is at `centre`, or as near to it as the
/// text fits between `first` and `last`.
double centred(double centre, double length, double first, double last);

}  // namespace pegen

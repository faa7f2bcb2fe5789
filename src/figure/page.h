#pragma once

#include <limits>
#include <vector>

#include "figure/layout.h"

namespace pegen {

/// Bounds that hold any text.
inline constexpr Box everywhere{
    -std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
    std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

/// The texts placed so far, what they must not touch, and the bounds they must stay in.
struct Page {
    const Medium& medium;
    Box bounds;
    std::vector<PlacedText> texts{};
    std::vector<InkBox> inks{};  ///< of the texts, and of what stood there before
};

/// Takes the pixels of a box.
void take(Page& page, const Box& box);

/// Places all of `texts` and returns true, or none of them if one would stick out or touch another.
bool place(Page& page, const std::vector<PlacedText>& texts);

/// The whole pixel nearest to a place; halves are rounded to even, like matplotlib.
int whole(double pixels);

/// Returns a text in the style of `medium` that begins at x and runs to the right.
PlacedText across(const Medium& medium, TextRole role, const std::string& text, double x,
                  double baseline);

/// Where a text of `length` begins whose middle is at `centre`, but which stays between two ends.
double centred(double centre, double length, double first, double last);

}  // namespace pegen

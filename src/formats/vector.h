#pragma once

#include <string>
#include <string_view>

#include "figure/figure.h"

namespace pegen {

/// Escapes the text for use between tags or within quotes of an XML file in UTF-8. Characters that
/// XML cannot hold (most control characters, U+FFFE, U+FFFF) are left out.
/// Throws: UsageError if it is not valid UTF-8.
std::string xml_text(std::string_view text);

// What SVG and PDF have in common: both write the parts of a Figure in its order.

/// The point of a text that keeps its place if the text is longer or shorter than the layout
/// measured it: glyphs of SVG and PDF are not moved to pixels, and a viewer may take another font.
struct Anchor {
    std::string_view name;  ///< as SVG has it: "start", "middle" or "end"
    double share;           ///< the share of the text's length before that point
};

Anchor anchor_of(TextRole role);

/// Returns a length rounded to a thousandth, so that all machines write the same digits.
std::string number(double length);

/// Returns a grid as an image with all colours of the map. Where the ground may be another one,
/// pixels without a value are transparent.
Image image_of(const PlacedGrid& placed, const Figure& figure);

}  // namespace pegen

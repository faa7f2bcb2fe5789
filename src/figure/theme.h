#pragma once

#include "core/parameters.h"
#include "figure/image.h"

namespace pegen {

/// The colours of a figure around its data.
struct Theme {
    Rgb ground{255, 255, 255};    ///< behind everything, and where a cell has no value
    Rgb ink{0, 0, 0};             ///< of texts, frames and ticks
    bool is_transparent = false;  ///< the ground is not painted
    bool follows_reader = false;  ///< in SVG, light or dark as the reader's page is

    bool operator==(const Theme&) const = default;
};

/// Returns the theme that --theme, --foreground, --background and --transparent describe.
/// Throws: UsageError for a colour that is not of the form #rgb or #rrggbb.
Theme theme_of(const Parameters& figure);

/// Checks that the colours do not follow the reader's page. Throws: UsageError.
void check_fixed(const Theme& theme);

/// Returns black or white, whichever is easier to read on the colour (WCAG 2.1: relative luminance,
/// contrast ratio).
Rgb readable_on(Rgb colour);

/// Returns the colours of --theme dark.
Theme dark_theme();

}  // namespace pegen

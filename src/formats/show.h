#pragma once

#include <string_view>

#include "formats/format.h"
#include "formats/screen.h"

namespace pegen {

namespace formats {
/// The figure of the table as text for a terminal (screen_text()), laid out for a window of
/// --show-size (by default 80 x 24), in the colours of --show-colours (by default none, which shows
/// values as grey whatever the colormap).
extern const Format show;
}  // namespace formats

/// Returns the word that --show-colours takes for these colours.
std::string_view name_of(TerminalColours colours);

}  // namespace pegen

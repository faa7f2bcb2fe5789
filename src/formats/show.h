#pragma once

#include <string_view>

#include "formats/format.h"
#include "formats/screen.h"

namespace pegen {

namespace formats {
/// The figure of the table as text for a terminal (screen_text()), laid out for a window of
/// --show-size (by default 80 x 24) in --show-colours (by default none, when values are grey
/// whatever the colormap).
extern const Format show;
}  // namespace formats

/// The word that --show-colours takes.
std::string_view name_of(TerminalColours colours);

}  // namespace pegen

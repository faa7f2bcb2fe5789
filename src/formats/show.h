#pragma once

#include <string_view>

#include "formats/format.h"
#include "formats/screen.h"

namespace pegen {

namespace formats {
/// The figure of the table as text for a terminal (screen_text()), laid out for a window of
/// --show-size, 80 x 24 unless given, in --show-colours, none unless given; then values are grey,
/// whatever the colormap.
extern const Format show;
}  // namespace formats

/// As --show-colours takes it.
std::string_view name_of(TerminalColours colours);

}  // namespace pegen

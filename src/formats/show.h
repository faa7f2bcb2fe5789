#pragma once

#include <string_view>

#include "formats/format.h"
#include "formats/screen.h"

namespace pegen {

namespace formats {
/// The figure of the table for a terminal, laid out for a window of --show-size (by default 80 x
/// 24). Without --show-as, or as blocks: text (screen_text()) in the colours of --show-colours (by
/// default none, which shows values as grey whatever the colormap). Else a picture
/// (all_terminal_graphics()), for characters of --show-cell pixels (by default 10 x 20); what
/// cannot be drawn so is text, unless the user gave --show-as. Pictures have no notes.
/// Throws also: UsageError for --show-colours with a picture, and for --show-cell with blocks.
extern const Format show;
}  // namespace formats

/// Returns the word that --show-colours takes for these colours.
std::string_view name_of(TerminalColours colours);

}  // namespace pegen

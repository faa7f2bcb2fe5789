#pragma once

#include <span>
#include <string>
#include <string_view>

#include "figure/image.h"

namespace pegen {

/// A way in which terminals show pictures, as data.
struct TerminalGraphics {
    std::string_view name;  ///< a word of --show-as
    /// Returns the bytes that show the image at the cursor, which they move to the line below. The
    /// image takes so many columns and lines of characters.
    std::string (*text)(const Image& image, int columns, int lines);
};

/// All of them, the best first:
///  - kitty: kitty's graphics protocol; the PNG file in base 64, in parts of at most 4096 bytes.
///    It tells the terminal not to answer. Terminals leave the cursor at different places behind a
///    picture as wide as the window, so it is kept, and room is made before.
///  - iterm2: iTerm2's OSC 1337; the PNG file in base 64, its width in characters, as a terminal
///    with small pixels may count larger ones.
///  - sixel: DEC's sixels, by the palette of the image. A colour has 101 levels of red, green and
///    blue; a pixel that is less than half opaque is left out.
std::span<const TerminalGraphics> all_terminal_graphics();

/// Returns the graphics with this name; nullptr if there are none.
const TerminalGraphics* find_terminal_graphics(std::string_view name);

}  // namespace pegen

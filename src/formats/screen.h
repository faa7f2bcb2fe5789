#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// A text on a screen; columns and lines are counted from 0.
struct ScreenText {
    int column;
    int line;
    std::string text;
};

/// A picture for a terminal: each character cell shows two pixels, one above the other, or a part
/// of a text.
struct Screen {
    int columns;
    int lines;
    /// The pixels, columns x 2 lines, row-major from the top left; a pixel without value has the
    /// terminal's own background.
    std::vector<std::optional<Rgb>> pixels;
    /// Texts cover pixels but not each other. Parts beyond the screen are cut off, as is a wide
    /// character that is half beyond it.
    std::vector<ScreenText> texts;
};

/// The colours that a terminal can show.
enum class TerminalColours {
    truecolor,   ///< 24 bits
    palette256,  ///< the 256 colours of xterm
    none,
};

/// Returns the screen as text, with a line feed after each line. A line begins and ends in the
/// terminal's own colours and does not move the cursor, so that the text can be scrolled, paged and
/// resized. Blank cells at the end of a line are left out.
///  - truecolor: a cell of two colours is a lower half block, U+2584, a cell of one colour a space;
///    an upper half block, U+2580, shows an upper pixel alone. Colours are SGR 38;2 and 48;2,
///    written only when they change.
///  - palette256: the same with SGR 38;5 and 48;5, in the nearest of the colours 16 to 255, which
///    users do not change; see nearest_of_256().
///  - none: no escape sequences. A cell is a character that has more ink the lighter its pixels
///    are, from '.' for black to '@' for white, by the mean of 0.2126 R + 0.7152 G + 0.0722 B over
///    the pixels that have a value, or a space if neither has a value. On a dark background the
///    text looks like the picture, on a light one like its negative. In texts U+2212 becomes '-'.
/// Throws: UsageError as displayed_characters() does.
std::string screen_text(const Screen& screen, TerminalColours colours);

}  // namespace pegen

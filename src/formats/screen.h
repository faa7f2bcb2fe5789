#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figure/image.h"

namespace pegen {

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

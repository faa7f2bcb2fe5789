#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figure/image.h"

namespace pegen {

/// A text on a screen; column 0 and line 0 are the first.
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
    /// columns x 2 lines, row-major from the top left; without a value: the terminal's own ground.
    std::vector<std::optional<Rgb>> pixels;
    /// Over the pixels; not over each other. What lies beyond the screen is cut off, and so is a
    /// wide character that lies half beyond.
    std::vector<ScreenText> texts;
};

/// What a terminal can show.
enum class TerminalColours {
    truecolor,   ///< 24 bits
    palette256,  ///< xterm's 256
    none,
};

/// The screen as text, with a line feed after each line. A line begins and ends in the terminal's
/// own colours and moves no cursor, so that it can be scrolled, cut into pages or resized. Nothing
/// follows the last thing drawn in a line.
///  - truecolor: a cell of two colours is a lower half block, U+2584, of one a space; an upper one,
///    U+2580, shows a lone upper pixel. Colours are SGR 38;2 and 48;2, said only when they change.
///  - palette256: the same with SGR 38;5 and 48;5, in the nearest of the colours 16 to 255, which
///    users do not change: nearest in OKLab with a and b doubled, so that hue and saturation weigh
///    more than they do there.
///  - none: no escape sequences. A cell is a character that has more ink the lighter its pixels
///    are: '.' for black to '@' for white, by the mean of 0.2126 R + 0.7152 G + 0.0722 B over those
///    that have a value; without one, a space. On a dark ground it looks like the picture, on a
///    light one like its negative. U+2212 is '-'; other characters of texts stay as they are.
/// Throws: UsageError as displayed_characters() does.
std::string screen_text(const Screen& screen, TerminalColours colours);

}  // namespace pegen

#include "formats/screen.h"

#include <fmt/format.h>

#include <cassert>
#include <cstdint>
#include <map>
#include <string_view>

#include "core/display_width.h"
#include "formats/palette256.h"

namespace pegen {
namespace {

constexpr std::string_view upper_half = "\u2580";
constexpr std::string_view lower_half = "\u2584";

struct Cell {
    std::optional<Rgb> upper;
    std::optional<Rgb> lower;
    std::optional<std::string_view> text;  ///< instead of pixels; empty: half of the one before

    bool is_blank() const { return text ? *text == " " : !upper && !lower; }
};

void put(std::vector<Cell>& cells, const ScreenText& text) {
    int column = text.column;
    for (const auto& [bytes, columns] : displayed_characters(text.text)) {
        const int end = column + columns;
        if (column >= 0 && end <= std::ssize(cells)) {
            cells[static_cast<std::size_t>(column)].text = bytes;
            if (columns == 2) cells[static_cast<std::size_t>(column) + 1].text = "";
        }
        column = end;
    }
}

/// What is drawn of a line: without blank cells at its end.
std::vector<Cell> cells_of(const Screen& screen, int line) {
    const auto columns = static_cast<std::size_t>(screen.columns);
    const std::size_t first = 2 * static_cast<std::size_t>(line) * columns;
    std::vector<Cell> cells(columns);
    for (std::size_t i = 0; i < columns; ++i) {
        cells[i].upper = screen.pixels[first + i];
        cells[i].lower = screen.pixels[first + columns + i];
    }
    for (const ScreenText& text : screen.texts) {
        if (text.line == line) put(cells, text);
    }
    while (!cells.empty() && cells.back().is_blank()) cells.pop_back();
    return cells;
}

char ramp_character(const Cell& cell) {
    // Measured in DejaVu Sans Mono, Liberation Mono and its bold, their ink grows in steps as even
    // as could be found; in the more usual ".:-=+*#%@" it does not even grow.
    constexpr std::string_view ramp = ".:;+xoX8@";
    double sum = 0;
    int count = 0;
    for (const std::optional<Rgb>& pixel : {cell.upper, cell.lower}) {
        if (!pixel) continue;
        const auto& [red, green, blue] = *pixel;
        sum += 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        ++count;
    }
    if (count == 0) return ' ';
    const double share = sum / count / 256;
    return ramp[static_cast<std::size_t>(share * static_cast<double>(ramp.size()))];
}

std::string plain_line(const std::vector<Cell>& cells) {
    std::string line;
    for (const Cell& cell : cells) {
        if (!cell.text) {
            line += ramp_character(cell);
        } else {
            line += *cell.text == "\u2212" ? "-" : *cell.text;
        }
    }
    return line;
}

/// What SGR has after 38 or 48 for a colour; empty for the terminal's own.
using Ink = std::string;

Ink ink_of(Rgb colour, TerminalColours colours) {
    if (colours == TerminalColours::palette256) return fmt::format(";5;{}", nearest_of_256(colour));
    return fmt::format(";2;{};{};{}", colour[0], colour[1], colour[2]);
}

/// The inks of the few colours that a screen has, each made once.
class Inks {
  public:
    explicit Inks(TerminalColours colours) : colours_(colours) {}

    Ink of(const std::optional<Rgb>& pixel) {
        if (!pixel) return "";
        Ink& ink = known_[*pixel];
        if (ink.empty()) ink = ink_of(*pixel, colours_);
        return ink;
    }

  private:
    TerminalColours colours_;
    std::map<Rgb, Ink> known_;
};

/// The colours a terminal draws in.
struct Pen {
    Ink foreground;
    Ink background;

    bool operator==(const Pen&) const = default;
};

/// The escape sequence that changes one pen to the other, if there is anything to change.
std::string change(const Pen& from, const Pen& to) {
    if (from == to) return "";
    if (to == Pen{}) return "\x1b[m";
    std::string codes;
    if (from.foreground != to.foreground) {
        codes += to.foreground.empty() ? "39" : "38" + to.foreground;
    }
    if (from.background != to.background) {
        if (!codes.empty()) codes += ';';
        codes += to.background.empty() ? "49" : "48" + to.background;
    }
    return "\x1b[" + codes + 'm';
}

struct Glyph {
    std::string_view text;
    Pen pen;
};

Glyph glyph_of(const Cell& cell, Inks& inks, const Pen& pen) {
    if (cell.text) return {*cell.text, {}};
    const Ink upper = inks.of(cell.upper);
    const Ink lower = inks.of(cell.lower);
    // A space shows no foreground: no need to change it.
    if (upper == lower) return {" ", {pen.foreground, upper}};
    // The terminal's own ground is known only as a background. Otherwise one kind of half serves
    // all: in many a font upper and lower halves do not meet at the same height.
    if (lower.empty()) return {upper_half, {upper, lower}};
    return {lower_half, {lower, upper}};
}

std::string coloured_line(const std::vector<Cell>& cells, Inks& inks) {
    std::string line;
    Pen pen;
    for (const Cell& cell : cells) {
        const Glyph glyph = glyph_of(cell, inks, pen);
        line += change(pen, glyph.pen);
        line += glyph.text;
        pen = glyph.pen;
    }
    return line + change(pen, {});
}

}  // namespace

std::string screen_text(const Screen& screen, TerminalColours colours) {
    assert(std::ssize(screen.pixels) == std::int64_t{2} * screen.lines * screen.columns);
    std::string text;
    Inks inks(colours);
    for (int line = 0; line < screen.lines; ++line) {
        const std::vector<Cell> cells = cells_of(screen, line);
        text += colours == TerminalColours::none ? plain_line(cells) : coloured_line(cells, inks);
        text += '\n';
    }
    return text;
}

}  // namespace pegen

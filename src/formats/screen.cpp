#include "formats/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "core/base64.h"
#include "core/shape.h"
#include "core/utf8.h"
#include "figure/image.h"
#include "formats/png.h"

namespace pegen {
namespace {

std::string kitty_text(const Image& image, int, int lines) {
    const std::string data = base64(encode_png(image, {}));
    constexpr std::size_t most = 4096;
    const std::string line_feeds(to_size(lines), '\n');
    constexpr std::string_view keep_cursor = "\0337", restore_cursor = "\0338";  // ESC 7, ESC 8
    std::string text = fmt::format("{}\x1b[{}A{}", line_feeds, lines, keep_cursor);
    for (std::size_t at = 0; at < data.size(); at += most) {
        text += fmt::format("\x1b_G{}q=2,m={};{}\x1b\\", at == 0 ? "a=T,f=100," : "",
                            at + most < data.size() ? 1 : 0, data.substr(at, most));
    }
    return fmt::format("{}{}{}", text, restore_cursor, line_feeds);
}

std::string iterm2_text(const Image& image, int columns, int) {
    const std::string file = encode_png(image, {});
    return fmt::format("\x1b]1337;File=inline=1;size={};width={}:{}\a\n", file.size(), columns,
                       base64(file));
}

// Sixels are written by hand: libsixel would choose a palette of its own for a picture that has
// one, and would come into a program that is one static file.

/// Appends `count` sixels of the same kind. A repetition is written as a number from 4 sixels on,
/// where it is shorter.
void append_run(std::string& out, std::size_t count, int bits) {
    const char sixel = static_cast<char>('?' + bits);
    if (count < 4) {
        out.append(count, sixel);
    } else {
        out += fmt::format("!{}{}", count, sixel);
    }
}

/// Appends a band of six rows of pixels in one colour, without the blank ones at its end.
void append_band(std::string& out, const std::vector<std::uint8_t>& sixels) {
    std::size_t run = 0;
    for (std::size_t x = 0; x < sixels.size(); x += run) {
        run = 1;
        while (x + run < sixels.size() && sixels[x + run] == sixels[x]) ++run;
        const bool is_blank_end = x + run == sixels.size() && sixels[x] == 0;
        if (!is_blank_end) append_run(out, run, sixels[x]);
    }
}

std::string sixel_text(const Image& image, int, int) {
    const auto width = to_size(image.width);
    std::array<bool, 256> is_used{};
    for (const std::uint8_t pixel : image.pixels) is_used[pixel] = true;
    for (std::size_t i = 0; i < image.opacities.size(); ++i) {
        if (image.opacities[i] < 128) is_used[i] = false;
    }
    // P2 is 1: pixels that are not set keep the terminal's colour. The raster attributes say that
    // pixels are squares, and how many there are.
    std::string text = fmt::format("\x1bP0;1q\"1;1;{};{}", image.width, image.height);
    for (std::size_t i = 0; i < is_used.size(); ++i) {
        if (!is_used[i]) continue;
        const auto percent = [&](std::size_t part) {
            return (image.colours[i][part] * 100 + 127) / 255;
        };
        text += fmt::format("#{};2;{};{};{}", i, percent(0), percent(1), percent(2));
    }
    std::array<std::vector<std::uint8_t>, 256> sixels;
    for (int top = 0; top < image.height; top += 6) {
        std::array<bool, 256> is_here{};
        for (int y = top; y < std::min(top + 6, image.height); ++y) {
            const std::uint8_t* const row = image.pixels.data() + to_size(y) * width;
            for (std::size_t x = 0; x < width; ++x) {
                const std::uint8_t colour = row[x];
                if (!is_used[colour]) continue;
                if (!is_here[colour]) sixels[colour].assign(width, 0);
                is_here[colour] = true;
                sixels[colour][x] |= static_cast<std::uint8_t>(1 << (y - top));
            }
        }
        if (top > 0) text += '-';
        bool is_first = true;
        for (std::size_t colour = 0; colour < is_here.size(); ++colour) {
            if (!is_here[colour]) continue;
            text += fmt::format("{}#{}", is_first ? "" : "$", colour);
            append_band(text, sixels[colour]);
            is_first = false;
        }
    }
    return text + "\x1b\\\n";
}

constexpr std::array graphics{
    TerminalGraphics{"kitty", kitty_text},
    TerminalGraphics{"iterm2", iterm2_text},
    TerminalGraphics{"sixel", sixel_text},
};

}  // namespace

std::span<const TerminalGraphics> all_terminal_graphics() { return graphics; }

const TerminalGraphics* find_terminal_graphics(std::string_view name) {
    const auto* const found = std::ranges::find(graphics, name, &TerminalGraphics::name);
    return found == graphics.end() ? nullptr : found;
}

namespace {

constexpr int first_colour = 16;
constexpr std::size_t colour_count = 240;
using Components = std::array<double, 3>;

double linear(std::uint8_t level) {
    const double share = level / 255.0;
    return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
}

/// A colour in OKLab, with a and b doubled.
Components perceived(Rgb colour) {
    const double r = linear(colour[0]), g = linear(colour[1]), b = linear(colour[2]);
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            2 * (1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s),
            2 * (0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s)};
}

double squared_distance(const Components& a, const Components& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

std::array<Components, colour_count> perceived_palette() {
    constexpr std::array<std::uint8_t, 6> levels{0, 95, 135, 175, 215, 255};
    std::array<Components, colour_count> palette;
    auto next = palette.begin();
    for (const std::uint8_t red : levels) {
        for (const std::uint8_t green : levels) {
            for (const std::uint8_t blue : levels) *next++ = perceived({red, green, blue});
        }
    }
    for (std::uint8_t level = 8; next != palette.end(); level += 10) {
        *next++ = perceived({level, level, level});
    }
    return palette;
}

/// Returns the number of the nearest colour of xterm's palette, from 16 to 255: a cube of 6 x 6 x 6
/// colours, then 24 greys. The first 16 are left out because users choose them. Distances are
/// Euclidean in OKLab (B. Ottosson, 2020) with a and b doubled, so that hue and saturation weigh
/// more than in OKLab itself. If several colours are equally near, returns the first.
int nearest_of_256(Rgb colour) {
    static const std::array<Components, colour_count> palette = perceived_palette();
    const Components wanted = perceived(colour);
    const auto nearest = std::ranges::min_element(
        palette, {}, [&](const Components& c) { return squared_distance(c, wanted); });
    return first_colour + static_cast<int>(nearest - palette.begin());
}

constexpr std::string_view upper_half = "\u2580";
constexpr std::string_view lower_half = "\u2584";

struct Cell {
    std::optional<Rgb> upper;
    std::optional<Rgb> lower;
    std::optional<std::string_view>
        text;  ///< instead of pixels; empty: right half of a wide character

    bool is_blank() const { return text ? *text == " " : !upper && !lower; }
};

void put(std::vector<Cell>& cells, const ScreenText& text) {
    int column = text.column;
    for (const auto& [bytes, columns] : displayed_characters(text.text)) {
        const int end = column + columns;
        if (column >= 0 && end <= std::ssize(cells)) {
            cells[column].text = bytes;
            if (columns == 2) cells[column + 1].text = "";
        }
        column = end;
    }
}

/// Returns a line without the blank cells at its end.
std::vector<Cell> cells_of(const Screen& screen, int line) {
    const std::size_t columns = screen.columns;
    const std::size_t first = 2 * line * columns;
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
    // In DejaVu Sans Mono, Liberation Mono and its bold, the ink of these characters grows in the
    // most even steps that were found; the ink of the more usual ".:-=+*#%@" does not always grow.
    constexpr std::string_view ramp = ".:;+xoX8@";
    double sum = 0;
    int count = 0;
    for (const std::optional<Rgb>& pixel : {cell.upper, cell.lower}) {
        if (!pixel) continue;
        const auto& [red, green, blue] = *pixel;
        sum += luminance(red, green, blue);
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
            line += *cell.text == "\u2212" ? "-" : *cell.text == "\u00d7" ? "x" : *cell.text;
        }
    }
    return line;
}

/// The SGR parameters that follow 38 or 48 for a colour; empty for the terminal's own colour.
using Ink = std::string;

Ink ink_of(Rgb colour, TerminalColours colours) {
    if (colours == TerminalColours::palette256) return fmt::format(";5;{}", nearest_of_256(colour));
    return fmt::format(";2;{};{};{}", colour[0], colour[1], colour[2]);
}

/// The inks of the few colours of a screen, each computed once.
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

/// The colours that a terminal is drawing with.
struct Pen {
    Ink foreground;
    Ink background;

    bool operator==(const Pen&) const = default;
};

/// Returns the escape sequence that changes one pen to the other; "" if they are equal.
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
    // A space shows no foreground, so the foreground colour need not change.
    if (upper == lower) return {" ", {pen.foreground, upper}};
    // The terminal's own background cannot be a foreground colour. In all other cases only the
    // lower half block is used: in many fonts upper and lower halves do not meet at the same
    // height.
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

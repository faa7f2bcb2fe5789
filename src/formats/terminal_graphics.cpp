#include "formats/terminal_graphics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "core/base64.h"
#include "core/shape.h"
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

}  // namespace pegen

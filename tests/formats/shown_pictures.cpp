#include "formats/shown_pictures.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>

#include "core/shape.h"
#include "files/read_png.h"

namespace pegen::testing {
namespace {

void require(bool is_true, const char* law) {
    if (!is_true) throw std::runtime_error(law);
}

std::string from_base64(std::string_view text) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned buffer = 0;
    int bits = 0;
    for (const char c : text.substr(0, text.find('='))) {
        const std::size_t digit = digits.find(c);
        require(digit != digits.npos, "base 64 has other characters");
        buffer = buffer << 6 | static_cast<unsigned>(digit);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes += static_cast<char>(buffer >> bits & 0xff);
    }
    return bytes;
}

/// Takes what is between `begin` and `end` out of `text`.
std::string taken(std::string& text, std::string_view begin, std::string_view end) {
    const std::size_t from = text.find(begin);
    require(from != text.npos, "no picture begins");
    const std::size_t to = text.find(end, from + begin.size());
    require(to != text.npos, "a picture does not end");
    const std::string content = text.substr(from + begin.size(), to - from - begin.size());
    text.erase(from, to + end.size() - from);
    return content;
}

std::map<std::string, std::string> keys_of(std::string_view text, char separator) {
    std::map<std::string, std::string> keys;
    while (!text.empty()) {
        const std::string_view entry = text.substr(0, text.find(separator));
        const std::size_t equals = entry.find('=');
        require(equals != entry.npos, "a key has no value");
        keys.emplace(entry.substr(0, equals), entry.substr(equals + 1));
        text.remove_prefix(std::min(text.size(), entry.size() + 1));
    }
    return keys;
}

ShownPicture kitty_picture(std::string_view sent) {
    // A terminal gets a carriage return before each line feed.
    const std::string line_feeds(sent.substr(0, std::min(sent.find('\x1b'), sent.size())));
    const auto lines = std::ranges::count(line_feeds, '\n');
    const std::string room = line_feeds + "\x1b[" + std::to_string(lines) + "A\0337";
    require(sent.starts_with(room), "makes room, and keeps the cursor's place");
    std::string rest(sent.substr(room.size())), data;
    for (bool is_first = true, has_more = true; has_more; is_first = false) {
        const std::string command = taken(rest, "\x1b_G", "\x1b\\");
        const std::size_t semicolon = command.find(';');
        require(semicolon != command.npos, "a command of kitty has no data");
        auto keys = keys_of(std::string_view(command).substr(0, semicolon), ',');
        require(keys["q"] == "2", "the terminal would answer");
        has_more = keys["m"] == "1";
        require(has_more || keys["m"] == "0", "m is 0 or 1");
        if (is_first) {
            require(keys["a"] == "T" && keys["f"] == "100" && keys.size() == 4, "shows a PNG");
        } else {
            require(keys.size() == 2, "only m and q may follow");
        }
        const std::string chunk = command.substr(semicolon + 1);
        require(!chunk.empty() && chunk.size() <= 4096, "a chunk has at most 4096 bytes");
        require(!has_more || chunk.size() % 4 == 0, "a chunk has whole groups of four");
        data += chunk;
    }
    ShownPicture picture = picture_of_png(from_base64(data));
    require(rest == "\0338" + line_feeds, "goes back, and below the picture");
    picture.lines = static_cast<int>(lines);
    picture.rest = line_feeds.substr(0, line_feeds.find('\n') + 1);
    return picture;
}

ShownPicture iterm2_picture(std::string_view sent) {
    std::string rest(sent);
    const std::string command = taken(rest, "\x1b]1337;File=", "\a");
    const std::size_t colon = command.find(':');
    require(colon != command.npos, "a command of iTerm2 has no data");
    auto keys = keys_of(std::string_view(command).substr(0, colon), ';');
    const std::string file = from_base64(std::string_view(command).substr(colon + 1));
    require(keys["inline"] == "1", "the file would be downloaded");
    require(keys["size"] == std::to_string(file.size()), "size is the number of bytes");
    ShownPicture picture = picture_of_png(file);
    picture.columns = std::stoi(keys["width"]);
    picture.rest = rest;
    return picture;
}

/// Reads a list of numbers, "1;2;3".
std::vector<int> numbers(std::string_view& text) {
    std::vector<int> all;
    for (bool goes_on = true; goes_on;) {
        int number = 0;
        const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
        if (error != std::errc()) break;
        all.push_back(number);
        text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
        goes_on = text.starts_with(';');
        if (goes_on) text.remove_prefix(1);
    }
    return all;
}

ShownPicture sixel_picture(std::string_view sent) {
    ShownPicture picture;
    picture.rest = sent;
    const std::string content = taken(picture.rest, "\x1bP", "\x1b\\");
    std::string_view text = content;
    require(numbers(text) == std::vector{0, 1}, "what is not set is not painted");
    require(text.starts_with("q\""), "raster attributes come first");
    text.remove_prefix(2);
    const std::vector<int> raster = numbers(text);
    require(raster.size() == 4 && raster[0] == raster[1], "pixels are squares");
    picture.width = raster[2];
    picture.height = raster[3];
    picture.pixels.resize(to_size(picture.width) * to_size(picture.height));
    std::map<int, Rgb> colours;
    int colour = -1, x = 0, top = 0;
    while (!text.empty()) {
        char c = text.front();
        text.remove_prefix(1);
        int count = 1;
        if (c == '!') {
            count = numbers(text).at(0);
            require(!text.empty(), "a repetition has a sixel");
            c = text.front();
            text.remove_prefix(1);
        }
        if (c == '#') {
            const std::vector<int> given = numbers(text);
            colour = given.at(0);
            if (given.size() == 1) continue;
            require(given.size() == 5 && given[1] == 2, "colours are red, green and blue");
            for (std::size_t i = 0; i < 3; ++i) {
                require(given[i + 2] >= 0 && given[i + 2] <= 100, "a share is in per cent");
                colours[colour][i] = static_cast<std::uint8_t>((given[i + 2] * 255 + 50) / 100);
            }
        } else if (c == '$') {
            x = 0;
        } else if (c == '-') {
            x = 0;
            top += 6;
        } else {
            require(c >= '?' && c <= '~', "a sixel is a byte from ? to ~");
            for (; count > 0; --count, ++x) {
                for (int bit = 0; bit < 6; ++bit) {
                    if (((c - '?') >> bit & 1) == 0) continue;
                    require(x < picture.width && top + bit < picture.height, "is in the picture");
                    std::optional<Rgb>& pixel =
                        picture.pixels[to_size(top + bit) * to_size(picture.width) + to_size(x)];
                    require(!pixel, "a pixel is set once");
                    pixel = colours.at(colour);
                }
            }
        }
    }
    return picture;
}

}  // namespace

ShownPicture picture_in(std::string_view sent, std::string_view show_as) {
    if (show_as == "kitty") return kitty_picture(sent);
    if (show_as == "iterm2") return iterm2_picture(sent);
    require(show_as == "sixel", "is kitty, iterm2 or sixel");
    return sixel_picture(sent);
}

ShownPicture picture_of_png(std::string_view file) {
    const PngContents png = decode_png(std::as_bytes(std::span(file)), "");
    ShownPicture picture{png.width, png.height};
    for (std::size_t i = 0; i < png.rgb.size(); i += 3) {
        picture.pixels.emplace_back(Rgb{std::to_integer<std::uint8_t>(png.rgb[i]),
                                        std::to_integer<std::uint8_t>(png.rgb[i + 1]),
                                        std::to_integer<std::uint8_t>(png.rgb[i + 2])});
    }
    return picture;
}

}  // namespace pegen::testing

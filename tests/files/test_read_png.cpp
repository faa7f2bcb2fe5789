#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/error.h"
#include "core/utf8.h"
#include "files/read_png.h"
#include "files/temporary_folder.h"
#include "formats/png.h"

using namespace pegen;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

std::string big_endian(std::uint32_t number) {
    std::string bytes;
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(number >> shift & 0xff);
    return bytes;
}

/// The CRC of the PNG specification, bit by bit.
std::uint32_t crc(std::string_view bytes) {
    std::uint32_t sum = 0xffffffff;
    for (const char byte : bytes) {
        sum ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit) sum = sum & 1 ? 0xedb88320 ^ sum >> 1 : sum >> 1;
    }
    return ~sum;
}

std::string chunk(const std::string& type, const std::string& content) {
    return big_endian(static_cast<std::uint32_t>(content.size())) + type + content +
           big_endian(crc(type + content));
}

/// Returns a zlib stream of one stored (uncompressed) block.
std::string zlib_stream(const std::string& bytes) {
    std::uint32_t a = 1, b = 0;
    for (const char byte : bytes) {
        a = (a + static_cast<unsigned char>(byte)) % 65521;
        b = (b + a) % 65521;
    }
    const auto low = static_cast<char>(bytes.size() & 0xff);
    const auto high = static_cast<char>(bytes.size() >> 8);
    const std::string length{low, high, static_cast<char>(~low), static_cast<char>(~high)};
    return "\x78\x01\x01" + length + bytes + big_endian(b << 16 | a);
}

const std::string signature = "\x89PNG\r\n\x1a\n";

std::string header(std::uint32_t width, std::uint32_t height, char depth, char colour_type,
                   char interlacing = 0) {
    return chunk("IHDR", big_endian(width) + big_endian(height) +
                             std::string{depth, colour_type, 0, 0, interlacing});
}

/// Returns a file with one byte of grey per pixel; `rows` are the stored rows, each after its
/// filter byte.
std::string grey(std::uint32_t width, std::uint32_t height, const std::string& rows) {
    return signature + header(width, height, 8, 0) + chunk("IDAT", zlib_stream(rows)) +
           chunk("IEND", "");
}

PngContents contents_of(const std::string& bytes) {
    const TemporaryFolder folder;
    put(folder.path("a.png"), bytes);
    return read_png(folder.path("a.png"));
}

/// The message about the file, after its name.
std::string refusal_of(const std::string& bytes) {
    try {
        contents_of(bytes);
    } catch (const FormatError& error) {
        const std::string message = error.what();
        return message.substr(message.find("a.png: ") + 7);
    }
    return "";
}

std::string levels(const PngContents& contents) {
    std::string text;
    for (std::size_t i = 0; i < contents.rgb.size(); i += 3) {
        text += static_cast<char>(contents.rgb[i]);
    }
    return text;
}

Image small_image() {
    Image image;
    image.width = 3;
    image.height = 2;
    for (std::size_t i = 0; i < 256; ++i) {
        const auto level = static_cast<std::uint8_t>(i);
        image.colours[i] = {level, static_cast<std::uint8_t>(3 * level), 7};
    }
    image.pixels = {0, 50, 100, 150, 200, 255};
    return image;
}

}  // namespace

TEST_CASE("read_png: what encode_png wrote is read back") {
    const Image image = small_image();
    const PngContents contents = contents_of(encode_png(image, {{"pe-gen", "{\"encoding\":1}"}}));
    CHECK(contents.width == 3);
    CHECK(contents.height == 2);
    CHECK(contents.provenance == "{\"encoding\":1}");
    REQUIRE(contents.rgb.size() == 18);
    for (int y = 0; y < 2; ++y) {
        for (int x = 0; x < 3; ++x) {
            for (std::size_t channel = 0; channel < 3; ++channel) {
                const auto place = static_cast<std::size_t>(3 * (3 * y + x)) + channel;
                CHECK(std::to_integer<int>(contents.rgb[place]) == image.at(x, y)[channel]);
            }
        }
    }
}

TEST_CASE("read_png: other texts are not a provenance") {
    CHECK(contents_of(encode_png(small_image(), {{"Software", "pe-gen"}, {"pe-generation", "x"}}))
              .provenance.empty());
}

TEST_CASE("read_png: fewer bits and interlaced pictures are the same picture") {
    CHECK(levels(contents_of(grey(2, 2, {0, 0, '\xff', 0, '\xff', 0}))) ==
          std::string{0, '\xff', '\xff', 0});
    CHECK(levels(contents_of(signature + header(2, 2, 1, 0) +
                             chunk("IDAT", zlib_stream({0, 0x40, 0, '\x80'})) +
                             chunk("IEND", ""))) == std::string{0, '\xff', '\xff', 0});
    // In a picture of 2 x 2 pixels, only the first, sixth and seventh passes have pixels.
    CHECK(levels(contents_of(signature + header(2, 2, 8, 0, 1) +
                             chunk("IDAT", zlib_stream({0, 1, 0, 2, 0, 3, 4})) +
                             chunk("IEND", ""))) == "\1\2\3\4");
}

TEST_CASE("read_png: interlaced pictures of any size are read") {
    // The pass of each pixel, in every block of 8 x 8.
    constexpr std::array<std::string_view, 8> passes{"16462646", "77777777", "56565656",
                                                     "77777777", "36463646", "77777777",
                                                     "56565656", "77777777"};
    for (std::uint32_t width = 1; width <= 9; ++width) {
        for (std::uint32_t height = 1; height <= 9; ++height) {
            std::string picture, stored;
            for (std::uint32_t i = 0; i < width * height; ++i) picture += static_cast<char>(i);
            for (char pass = '1'; pass <= '7'; ++pass) {
                for (std::uint32_t y = 0; y < height; ++y) {
                    std::string row;
                    for (std::uint32_t x = 0; x < width; ++x) {
                        if (passes[y % 8][x % 8] == pass) row += picture[y * width + x];
                    }
                    if (!row.empty()) stored += '\0' + row;
                }
            }
            CAPTURE(width);
            CAPTURE(height);
            CHECK(levels(contents_of(signature + header(width, height, 8, 0, 1) +
                                     chunk("IDAT", zlib_stream(stored)) + chunk("IEND", ""))) ==
                  picture);
        }
    }
}

TEST_CASE("read_png: every truncated file is refused") {
    const std::string file = encode_png(small_image(), {{"pe-gen", "{}"}});
    REQUIRE(refusal_of(file).empty());
    for (std::size_t length = 0; length < file.size(); ++length) {
        CAPTURE(length);
        CHECK_FALSE(refusal_of(file.substr(0, length)).empty());
    }
}

TEST_CASE("read_png: every damaged byte is noticed") {
    const std::string file = encode_png(small_image(), {{"pe-gen", "{}"}});
    for (std::size_t place = 0; place < file.size(); ++place) {
        CAPTURE(place);
        std::string damaged = file;
        damaged[place] = static_cast<char>(damaged[place] ^ 0x10);
        CHECK_FALSE(refusal_of(damaged).empty());
    }
}

TEST_CASE("read_png: files that are not pictures are refused with the reason") {
    CHECK(refusal_of("") == "byte 0: not a PNG file: does not begin with \\x89PNG");
    CHECK(refusal_of(signature + chunk("IEND", "")) ==
          "byte 8: a PNG file begins with an IHDR chunk of 13 bytes");
    CHECK(refusal_of(signature + header(0, 5, 8, 0)) ==
          "byte 8: a picture of 0 pixels from side to side: 1 to 16777216 are read");
    CHECK(refusal_of(signature + header(0xffffffff, 5, 8, 0)).starts_with("byte 8: a picture of"));
    CHECK(refusal_of(signature + header(1 << 20, 1 << 20, 8, 3)) ==
          "byte 8: a picture of 1048576x1048576 pixels: at most 2^28 are read");
    CHECK(refusal_of(signature + header(1, 1, 3, 0)) ==
          "byte 8: an IHDR chunk that no PNG file has");
    CHECK(refusal_of(signature + "\xff\xff\xff\xff" + "IHDR" + std::string(30, 'x')) ==
          "byte 8: a chunk of 4294967295 bytes, where the PNG file has 26 more");
    CHECK(refusal_of(grey(1, 1, {0, 0}) + "more") ==
          "byte 70: 4 bytes after the end of the PNG file");
}

TEST_CASE("read_png: pixels that are too many or too few for the picture are refused") {
    constexpr auto rule = "its compressed data is not a picture of 2x2 pixels";
    CHECK(refusal_of(grey(2, 2, std::string(6, '\0'))).empty());
    CHECK(refusal_of(grey(2, 2, std::string(5, '\0'))) == rule);
    CHECK(refusal_of(grey(2, 2, std::string(7, '\0'))) == rule);
    CHECK(refusal_of(grey(2, 2, std::string(60000, '\0'))) == rule);
    CHECK(refusal_of(signature + header(2, 2, 8, 0) + chunk("IEND", "")) == rule);
}

TEST_CASE("read_png: a chunk that may change what the pixels mean is refused, others are not") {
    const auto with_chunk = [](const std::string& type) {
        return signature + header(2, 2, 8, 0) + chunk(type, "1234") +
               chunk("IDAT", zlib_stream({0, 1, 2, 0, 3, 4})) + chunk("IEND", "");
    };
    CHECK(refusal_of(with_chunk("gAMA")).empty());
    CHECK(refusal_of(with_chunk("xyZW")).empty());
    for (const std::string type : {"CgBI", "XYZW", "IDAt", "\x1b[2J"}) {
        CHECK(refusal_of(with_chunk(type)) ==
              one_line("byte 33: a chunk " + type + ", which the PNG specification does not have"));
    }
}

TEST_CASE("read_png: an animation without frames, or with a frame cut short, is refused") {
    const auto with_chunks = [](const std::string& chunks) {
        return signature + header(1, 1, 8, 0) + chunks + chunk("IDAT", zlib_stream({0, 1})) +
               chunk("IEND", "");
    };
    const std::string control(26, '\0');
    CHECK(refusal_of(with_chunks(chunk("fcTL", control) + chunk("fdAT", "1234"))).empty());
    for (const std::string& broken :
         {chunk("fcTL", control + "5"), chunk("fcTL", control.substr(1)), chunk("fcTL", "")}) {
        CHECK(refusal_of(with_chunks(broken)) ==
              "byte 33: a chunk fcTL that no animated PNG file has");
    }
    CHECK(refusal_of(with_chunks(chunk("fdAT", "1234"))) ==
          "byte 33: a chunk fdAT that no animated PNG file has");
    CHECK(refusal_of(with_chunks(chunk("fcTL", control) + chunk("fdAT", "123"))) ==
          "byte 71: a chunk fdAT that no animated PNG file has");
}

TEST_CASE("read_png: a transparent pixel is refused") {
    const auto with_alpha = [](char alpha) {
        return signature + header(1, 1, 8, 4) + chunk("IDAT", zlib_stream({0, 7, alpha})) +
               chunk("IEND", "");
    };
    CHECK(refusal_of(with_alpha('\xff')).empty());
    CHECK(refusal_of(with_alpha('\x7f')) == "has transparent pixels; figures have none");
}

TEST_CASE("read_png: two provenances count as none") {
    CHECK(refusal_of(encode_png(small_image(), {{"pe-gen", "{}"}, {"pe-gen", "{}"}})) ==
          "byte 75: a second text 'pe-gen' in the PNG file");
}

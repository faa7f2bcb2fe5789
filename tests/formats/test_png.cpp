#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/parallel.h"
#include "figure/fake_table.h"
#include "figure/figure.h"
#include "figure/pixels.h"
#include "formats/png.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#include <stb_image.h>

using namespace pegen;

namespace {

std::uint32_t big_endian(std::string_view bytes) {
    std::uint32_t number = 0;
    for (const char byte : bytes.substr(0, 4)) {
        number = number << 8 | static_cast<unsigned char>(byte);
    }
    return number;
}

struct Chunk {
    std::string type;
    std::string content;
    std::uint32_t checksum;
};

std::vector<Chunk> chunks_of(std::string_view file) {
    std::vector<Chunk> chunks;
    REQUIRE(file.substr(0, 8) == "\x89PNG\r\n\x1a\n");
    for (std::size_t at = 8; at < file.size();) {
        const std::uint32_t length = big_endian(file.substr(at));
        chunks.push_back({std::string(file.substr(at + 4, 4)),
                          std::string(file.substr(at + 8, length)),
                          big_endian(file.substr(at + 8 + length))});
        at += 12 + length;
    }
    return chunks;
}

/// The CRC of the PNG specification, bit by bit.
std::uint32_t crc(const std::string& bytes) {
    std::uint32_t sum = 0xffffffff;
    for (const char byte : bytes) {
        sum ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit) sum = sum & 1 ? 0xedb88320 ^ sum >> 1 : sum >> 1;
    }
    return ~sum;
}

struct Decoded {
    int width;
    int height;
    std::vector<Rgb> pixels;
};

Decoded decode(const std::string& file) {
    Decoded decoded;
    int channels = 0;
    stbi_uc* levels = stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(file.data()),
                                            static_cast<int>(file.size()), &decoded.width,
                                            &decoded.height, &channels, 3);
    REQUIRE(levels != nullptr);
    CHECK(channels == 3);
    for (int i = 0; i < decoded.width * decoded.height; ++i) {
        decoded.pixels.push_back({levels[3 * i], levels[3 * i + 1], levels[3 * i + 2]});
    }
    stbi_image_free(levels);
    return decoded;
}

constexpr std::array encoding_parameters{
    ParameterSpec{.name = "len", .type = ParameterType::integer, .default_value = "400"},
    ParameterSpec{.name = "base", .default_value = "10000"},
    ParameterSpec{.name = "layout",
                  .type = ParameterType::word,
                  .default_value = "halves",
                  .choices = "halves"},
    ParameterSpec{.name = "positions", .type = ParameterType::reals},
    ParameterSpec{.name = "reverse", .type = ParameterType::flag},
    ParameterSpec{.name = "note", .type = ParameterType::text, .default_value = "\u03b8"},
};

Table generated() {
    Table table = table_from(30, 20, [](std::int64_t row, std::int64_t column) {
        return std::sin(static_cast<double>(row * column));
    });
    table.provenance = {"sinusoid", "", "table", Parameters(encoding_parameters)};
    return table;
}

/// 256 x 2 pixels, of 256 colours.
Image with_all_places() {
    Image image{256, 2, 100, {}, {}};
    for (std::size_t i = 0; i < 256; ++i) {
        const auto level = static_cast<std::uint8_t>(i);
        image.colours[i] = {level, static_cast<std::uint8_t>(3 * level), 7};
    }
    for (int pixel = 0; pixel < 512; ++pixel) {
        image.pixels.push_back(static_cast<std::uint8_t>(5 * pixel));
    }
    return image;
}

std::string file_of(const Table& table) {
    return formats::png.draw(table, Parameters(figure_parameters())).file;
}

}  // namespace

TEST_CASE("png: decodes to the picture that was drawn") {
    const Image drawn = draw_figure(generated(), Parameters(figure_parameters()));
    const Decoded decoded = decode(file_of(generated()));
    CHECK(decoded.width == 1000);
    CHECK(decoded.height == 800);
    CHECK(decoded.pixels == pixels(drawn));
}

TEST_CASE("png: has these chunks and no others") {
    std::string types;
    for (const Chunk& chunk : chunks_of(file_of(generated()))) {
        types += chunk.type + " ";
        CHECK(chunk.checksum == crc(chunk.type + chunk.content));
    }
    CHECK(types == "IHDR pHYs tEXt tEXt PLTE IDAT IEND ");
}

TEST_CASE("png: pHYs is the dpi in pixels per metre") {
    const Chunk chunk = chunks_of(file_of(generated()))[1];
    CHECK(chunk.content == std::string("\x00\x00\x0f\x61\x00\x00\x0f\x61\x01", 9));
}

TEST_CASE("png: tEXt names the program without a version") {
    using namespace std::string_literals;
    CHECK(chunks_of(file_of(generated()))[2].content == "Software\0pe-gen"s);
}

TEST_CASE("png: tEXt carries the provenance as JSON in ASCII") {
    using namespace std::string_literals;
    CHECK(chunks_of(file_of(generated()))[3].content ==
          "pe-gen\0{\"encoding\":\"sinusoid\",\"table\":\"table\",\"parameters\":{\"len\":400,"
          "\"base\":10000.0,\"layout\":\"halves\",\"positions\":null,\"reverse\":false,"
          "\"note\":\"\\u03b8\"},\"dtype\":\"float64\"}"s);
}

TEST_CASE("png: a preset is part of the provenance") {
    Table table = generated();
    table.provenance.preset = "whisper";
    const std::string content = chunks_of(file_of(table))[3].content;
    CHECK(nlohmann::json::parse(content.substr(7))["preset"] == "whisper");
}

TEST_CASE(
    "png: dtype and options of the figure are part of the provenance, except defaults and idle "
    "ones") {
    Table table = generated();
    table.dtype = DType::float16;
    table.rows = rounded({[](RowRange, std::span<double> out) { std::ranges::fill(out, 1.0); },
                          table.shape.rows(), 20},
                         DType::float16);
    Parameters figure(figure_parameters());
    figure.set_all("--no-axes --dpi 100 --cmap gray", Origin::user);
    figure.set("figsize", "2x3", Origin::preset);
    const std::string content = chunks_of(formats::png.draw(table, figure).file)[3].content;
    CHECK(content.ends_with(R"("dtype":"float16","figure":{"cmap":"gray","no-axes":true}})"));
}

TEST_CASE("png: a table read from a file has no provenance to carry") {
    Table table = generated();
    table.provenance = {};
    CHECK(chunks_of(file_of(table)).size() == 6);
}

TEST_CASE("png: the same bytes for the same input and any number of threads") {
    const int threads = thread_count();
    const std::string many = file_of(generated());
    limit_threads(1);
    CHECK(file_of(generated()) == many);
    limit_threads(threads);
}

TEST_CASE("png: one pixel is a picture") {
    const Image pixel{1, 1, 100, {{{1, 2, 3}}}, {0}};
    CHECK(decode(encode_png(pixel, {})).pixels == std::vector<Rgb>{{1, 2, 3}});
}

TEST_CASE("png: the colours are the palette, and a pixel is a byte") {
    const std::vector<Chunk> chunks = chunks_of(encode_png(with_all_places(), {}));
    CHECK(chunks[0].content == std::string("\0\0\1\0\0\0\0\2\x08\x03\0\0\0", 13));
    REQUIRE(chunks[2].type == "PLTE");
    CHECK(chunks[2].content.size() == 3 * 256);
    CHECK(chunks[2].content.substr(3, 6) == "\x01\x03\x07\x02\x06\x07");
}

TEST_CASE("png: every pixel is decoded to its colour, smooth or not") {
    Image image = with_all_places();
    for (const bool is_smooth : {false, true, false}) {
        image.is_smooth = is_smooth;
        CHECK(decode(encode_png(image, {})).pixels == pixels(image));
    }
}

TEST_CASE("png: smooth pictures are filtered") {
    Image image{256, 256, 100, {}, {}};
    std::uint32_t noise = 1;
    for (std::uint32_t x = 0; x < 256; ++x) {
        noise = noise * 1664525 + 1013904223;
        image.pixels.push_back(static_cast<std::uint8_t>(noise >> 24));
    }
    // Each line is the one above, plus 1.
    for (std::size_t pixel = 256; pixel < 256 * 256; ++pixel) {
        image.pixels.push_back(static_cast<std::uint8_t>(image.pixels[pixel - 256] + 1));
    }
    const std::size_t unfiltered = encode_png(image, {}).size();
    image.is_smooth = true;
    CHECK(encode_png(image, {}).size() < unfiltered / 4);
}

TEST_CASE("png: takes no rows") {
    CHECK((formats::png.draw != nullptr));
    CHECK((formats::png.append_rows == nullptr));
    CHECK(formats::png.is_binary);
}

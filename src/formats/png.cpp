#include "pegen/formats/png.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <span>

#include "formats/metadata.h"
#include "formats/palette.h"
#include "pegen/figure/figure.h"

namespace {

// Measured with figures of 1000 x 800 pixels: the heatmap is as good as noise to PNG's filters,
// which make it larger (none 413 kB, up 459, the best per row 437) and slower; beyond level 6 the
// time doubles for 1 %.
constexpr int no_filter = 0;
constexpr int compression_level = 6;

/// What stb_image_write calls in place of its own compressor: a zlib stream in malloc()ed memory,
/// nullptr if there is none left.
unsigned char* compress_zlib(unsigned char* bytes, int count, int* compressed_count, int) {
    const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
        libdeflate_alloc_compressor(compression_level), &libdeflate_free_compressor);
    if (!compressor) return nullptr;
    const auto size = static_cast<std::size_t>(count);
    const std::size_t bound = libdeflate_zlib_compress_bound(compressor.get(), size);
    auto* compressed = static_cast<unsigned char*>(std::malloc(bound));
    if (!compressed) return nullptr;
    *compressed_count = static_cast<int>(
        libdeflate_zlib_compress(compressor.get(), bytes, size, compressed, bound));
    return compressed;
}

}  // namespace

#define STBIW_ZLIB_COMPRESS compress_zlib
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

namespace pegen {
namespace {

// Colour types of IHDR.
constexpr char rgb = 2;
constexpr char with_palette = 3;

std::string big_endian(std::uint32_t number) {
    std::string bytes;
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(number >> shift & 0xff);
    return bytes;
}

/// A chunk of a PNG file: length, type, content, checksum.
std::string chunk(std::string_view type, std::string_view content) {
    std::string bytes = big_endian(static_cast<std::uint32_t>(content.size()));
    bytes.append(type).append(content);
    const std::string_view checked = std::string_view(bytes).substr(4);
    return bytes += big_endian(libdeflate_crc32(0, checked.data(), checked.size()));
}

std::string header(const Image& image, char colour_type) {
    constexpr char bits_per_channel = 8;
    std::string content = big_endian(static_cast<std::uint32_t>(image.width)) +
                          big_endian(static_cast<std::uint32_t>(image.height));
    content += {bits_per_channel, colour_type, 0, 0, 0};  // deflate, PNG's filters, not interlaced
    return chunk("IHDR", content);
}

std::string physical_size(double dpi) {
    constexpr double inches_per_metre = 1 / 0.0254;
    const std::string density =
        big_endian(static_cast<std::uint32_t>(std::lround(dpi * inches_per_metre)));
    constexpr char per_metre = 1;
    return chunk("pHYs", density + density + per_metre);
}

std::string_view bytes_of(std::span<const Rgb> colours) {
    return {reinterpret_cast<const char*>(colours.data()), colours.size_bytes()};
}

/// IDAT and IEND, with what is in them made by stb. `bytes` has equally many bytes for each pixel.
std::string data_and_end(std::string_view bytes, int width, int height) {
    // A global of stb's, set once for all threads.
    [[maybe_unused]] static const int filter = stbi_write_force_png_filter = no_filter;
    const int row = static_cast<int>(bytes.size()) / height;
    int size = 0;
    const std::unique_ptr<unsigned char, decltype(&std::free)> file(
        stbi_write_png_to_mem(reinterpret_cast<const unsigned char*>(bytes.data()), row, width,
                              height, row / width, &size),
        &std::free);
    if (!file) throw std::bad_alloc();
    constexpr std::size_t after_header = 8 + 12 + 13;  // signature, IHDR
    return {reinterpret_cast<const char*>(file.get()) + after_header,
            static_cast<std::size_t>(size) - after_header};
}

std::string png_file(const Table& table, const Parameters& parameters) {
    const Image image = draw_figure(table, parameters);
    std::vector<PngText> texts{{"Software", "pe-gen"}};
    std::string provenance;
    if (!table.provenance.encoding.empty()) {
        // tEXt is Latin-1, so other characters are escaped.
        constexpr bool ascii_only = true;
        provenance = provenance_json(table.provenance)
                         .dump(-1, ' ', ascii_only, nlohmann::json::error_handler_t::replace);
        texts.push_back({"pe-gen", provenance});
    }
    return encode_png(image, texts);
}

std::string nothing(const Table&, const Parameters&) { return ""; }

}  // namespace

std::string encode_png(const Image& image, const std::vector<PngText>& texts) {
    const std::optional<Paletted> few_colours = paletted(image);
    std::string file = "\x89PNG\r\n\x1a\n";
    file += header(image, few_colours ? with_palette : rgb) + physical_size(image.dpi);
    for (const auto& [keyword, text] : texts) {
        file += chunk("tEXt", fmt::format("{}{}{}", keyword, '\0', text));
    }
    if (few_colours) file += chunk("PLTE", bytes_of(few_colours->colours));
    return file += data_and_end(few_colours ? few_colours->places : bytes_of(image.pixels),
                                image.width, image.height);
}

constinit const Format formats::png{
    .name = "png",
    .summary = "figure: a heatmap with axes, ticks and a colour bar",
    .extensions = "png",
    .is_binary = true,
    .parameters = figure_parameters,
    .options_title = "Figure options",
    .head = png_file,
    .append_rows = nullptr,
    .tail = nothing,
};

}  // namespace pegen

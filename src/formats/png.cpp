#include "formats/png.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include "core/error.h"
#include "core/to_size.h"
#include "figure/figure.h"
#include "figure/paint.h"
#include "files/read_png.h"
#include "formats/metadata.h"

namespace {

// Measured, d 128, len 400: a figure is 244 kB without filter, 163 with up (13.9 ms for the
// process), 157 with the best of each row (16.8 ms); with up at levels 2, 4 and 6 161, 159 and 154
// kB (14.7, 15.8 and 18.9 ms). A bare heatmap is 21 kB without filter, 25 with up, at any level.
constexpr int no_filter = 0;
constexpr int up = 2;
constexpr int compression_level = 1;

/// Compresses bytes for stb_image_write, in place of its own compressor. Returns a zlib stream in
/// memory from malloc(), or nullptr if there is not enough memory.
unsigned char* compress_zlib(unsigned char* bytes, int count, int* compressed_count, int) {
    const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
        libdeflate_alloc_compressor(compression_level), &libdeflate_free_compressor);
    if (!compressor) return nullptr;
    const auto size = pegen::to_size(count);
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

std::string big_endian(std::uint32_t number) {
    std::string bytes;
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(number >> shift & 0xff);
    return bytes;
}

/// Returns a chunk of a PNG file: length, type, content, checksum.
std::string chunk(std::string_view type, std::string_view content) {
    std::string bytes = big_endian(static_cast<std::uint32_t>(content.size()));
    bytes.append(type).append(content);
    const std::string_view checked = std::string_view(bytes).substr(4);
    return bytes += big_endian(libdeflate_crc32(0, checked.data(), checked.size()));
}

std::string header(const Image& image) {
    constexpr char bits_per_pixel = 8;
    constexpr char with_palette = 3;
    std::string content = big_endian(static_cast<std::uint32_t>(image.width)) +
                          big_endian(static_cast<std::uint32_t>(image.height));
    content += {bits_per_pixel, with_palette, 0, 0, 0};  // deflate, PNG's filters, not interlaced
    return chunk("IHDR", content);
}

std::string physical_size(double dpi) {
    constexpr double inches_per_metre = 1 / 0.0254;
    const std::string density =
        big_endian(static_cast<std::uint32_t>(std::lround(dpi * inches_per_metre)));
    constexpr char per_metre = 1;
    return chunk("pHYs", density + density + per_metre);
}

std::string palette(const std::array<Rgb, 256>& colours) {
    return chunk("PLTE", {reinterpret_cast<const char*>(colours.data()), sizeof(colours)});
}

/// Returns the chunks IDAT and IEND. stb makes them: it takes the palette indices for levels of
/// grey. The filter of stb is a global variable, so one picture is made at a time.
std::string data_and_end(const Image& image) {
    static std::mutex for_filter;
    const std::lock_guard lock(for_filter);
    stbi_write_force_png_filter = image.is_smooth ? up : no_filter;
    int size = 0;
    const std::unique_ptr<unsigned char, decltype(&std::free)> file(
        stbi_write_png_to_mem(image.pixels.data(), image.width, image.width, image.height, 1,
                              &size),
        &std::free);
    if (!file) throw std::bad_alloc();
    constexpr std::size_t after_header = 8 + 12 + 13;  // signature, IHDR
    return {reinterpret_cast<const char*>(file.get()) + after_header, to_size(size) - after_header};
}

Drawing png_file(const Table& table, const Parameters& parameters) {
    Figure figure = compose_figure(table, parameters);
    if (figure.theme.follows_reader) {
        throw UsageError(
            "--theme auto: is for SVG, which can change with the reader's page; give "
            "--theme light or dark, or --transparent");
    }
    const Image image = paint(figure);
    std::vector<PngText> texts{{"Software", "pe-gen"}};
    const std::string provenance = figure_provenance(table, parameters);
    if (!provenance.empty()) texts.push_back({"pe-gen", provenance});
    return {encode_png(image, texts), std::move(figure.notes)};
}

/// True if both files hold the same pixels and provenance. Their bytes may differ, as different
/// versions of the compressor write different bytes.
bool is_same_picture(std::string_view file, std::string_view other) {
    const auto decoded = [](std::string_view bytes) {
        return decode_png(std::as_bytes(std::span(bytes)), "");
    };
    try {
        const PngContents a = decoded(file), b = decoded(other);
        return a.width == b.width && a.height == b.height && a.rgb == b.rgb &&
               a.provenance == b.provenance;
    } catch (const FormatError&) {
        return false;
    }
}

}  // namespace

std::string encode_png(const Image& image, const std::vector<PngText>& texts) {
    std::string file = "\x89PNG\r\n\x1a\n";
    file += header(image) + physical_size(image.dpi);
    for (const auto& [keyword, text] : texts) {
        file += chunk("tEXt", fmt::format("{}{}{}", keyword, '\0', text));
    }
    file += palette(image.colours);
    if (!image.opacities.empty()) {
        file += chunk("tRNS", {reinterpret_cast<const char*>(image.opacities.data()),
                               image.opacities.size()});
    }
    return file += data_and_end(image);
}

constinit const Format formats::png{
    .name = "png",
    .summary = "a figure: a heatmap with axes and a colour bar, or another --plot",
    .extensions = "png",
    .is_binary = true,
    .parameters = figure_parameters,
    .idle_parameters = "show-size show-colours",
    .options_title = "Figure options",
    .draw = png_file,
    .says_the_same = is_same_picture,
};

}  // namespace pegen

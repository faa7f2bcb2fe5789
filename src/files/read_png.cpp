#include "files/read_png.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

#include "core/error.h"
#include "files/deflate.h"
#include "files/png_outline.h"

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#include <stb_image.h>

namespace pegen {
namespace {

/// A pass of pixels that are stored together: from `first` on, every `step`-th along both axes.
struct Pass {
    int first_x, first_y, step_x, step_y;
};

/// The passes of Adam7. Source: PNG specification, section 8.
constexpr std::array interlaced{Pass{0, 0, 8, 8}, Pass{4, 0, 8, 8}, Pass{0, 4, 4, 8},
                                Pass{2, 0, 4, 4}, Pass{0, 2, 2, 4}, Pass{1, 0, 2, 2},
                                Pass{0, 1, 1, 2}};
constexpr std::array progressive{Pass{0, 0, 1, 1}};

std::int64_t count(int extent, int first, int step) {
    return extent > first ? (extent - first + step - 1) / step : 0;
}

/// Returns the number of bytes of all rows, each with the byte that names its filter.
std::int64_t uncompressed_bytes(const PngOutline& outline) {
    std::int64_t bytes = 0;
    for (const Pass& pass : outline.is_interlaced ? std::span<const Pass>(interlaced)
                                                  : std::span<const Pass>(progressive)) {
        const std::int64_t columns = count(outline.width, pass.first_x, pass.step_x);
        const std::int64_t rows = count(outline.height, pass.first_y, pass.step_y);
        if (columns > 0) bytes += rows * (1 + (columns * outline.bits_per_pixel + 7) / 8);
    }
    return bytes;
}

/// Checks that the zlib stream holds exactly the bytes of the picture, since stb does not limit
/// what it decompresses. Throws: FormatError.
void check_pixels(std::string_view path, const PngOutline& outline) {
    const std::string_view stream(reinterpret_cast<const char*>(outline.pixels.data()),
                                  outline.pixels.size());
    if (inflated(stream, uncompressed_bytes(outline))) return;
    throw FormatError(path, fmt::format("its compressed data is not a picture of {}x{} pixels",
                                        outline.width, outline.height));
}

}  // namespace

PngContents read_png(std::string_view path) { return decode_png(png_bytes(InputFile(path)), path); }

PngContents decode_png(std::span<const std::byte> file, std::string_view path) {
    const PngOutline outline = png_outline(path, file);
    check_pixels(path, outline);
    constexpr int rgb_and_alpha = 4;
    int width = 0, height = 0, channels = 0;
    const std::unique_ptr<unsigned char, decltype(&stbi_image_free)> pixels(
        stbi_load_from_memory(reinterpret_cast<const unsigned char*>(file.data()),
                              static_cast<int>(file.size()), &width, &height, &channels,
                              rgb_and_alpha),
        &stbi_image_free);
    if (!pixels) {
        const std::string_view reason = stbi_failure_reason();
        if (reason == "outofmem") throw std::bad_alloc();
        throw FormatError(path, fmt::format("cannot be decoded: {}", reason));
    }
    PngContents contents{outline.width, outline.height, {}, outline.provenance};
    const std::size_t count_of_pixels = std::int64_t{width} * height;
    contents.rgb.reserve(3 * count_of_pixels);
    for (std::size_t i = 0; i < count_of_pixels; ++i) {
        const unsigned char* pixel = pixels.get() + i * rgb_and_alpha;
        if (pixel[3] != 0xff) throw FormatError(path, "has transparent pixels; figures have none");
        for (int channel = 0; channel < 3; ++channel) {
            contents.rgb.push_back(std::byte{pixel[channel]});
        }
    }
    return contents;
}

}  // namespace pegen

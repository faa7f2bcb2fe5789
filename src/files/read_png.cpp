#include "files/read_png.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

#include "core/error.h"
#include "files/deflate.h"

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#include <stb_image.h>

namespace pegen {
namespace {

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Returns the number in four bytes, big-endian. Precondition: there are four bytes.
std::uint32_t big_endian(std::span<const std::byte> bytes) {
    std::uint32_t number = 0;
    for (const std::byte byte : bytes.first(4))
        number = number << 8 | std::to_integer<std::uint32_t>(byte);
    return number;
}

struct Chunk {
    std::int64_t offset;  ///< in the file
    std::string_view type;
    std::span<const std::byte> content;
};

constexpr std::size_t around_content = 12;  // bytes: length and type before it, checksum behind it

/// Reads the chunk at `offset`. Throws: FormatError if it reaches beyond the end of the file or its
/// checksum is wrong.
Chunk chunk_at(std::string_view path, std::span<const std::byte> file, std::size_t offset) {
    const auto place = static_cast<std::int64_t>(offset);
    const std::span<const std::byte> rest = file.subspan(offset);
    if (rest.size() < around_content) {
        throw FormatError(path, place, "the PNG file ends where a chunk would begin");
    }
    const std::size_t length = big_endian(rest);
    if (length > rest.size() - around_content) {
        throw FormatError(path, place,
                          fmt::format("a chunk of {} bytes, where the PNG file has {} more", length,
                                      rest.size() - around_content));
    }
    const std::span<const std::byte> checked = rest.subspan(4, 4 + length);
    if (libdeflate_crc32(0, checked.data(), checked.size()) !=
        big_endian(rest.subspan(8 + length))) {
        throw FormatError(path, place,
                          "the checksum of this chunk is wrong: the PNG file is damaged");
    }
    return {place, text_of(checked.first(4)), checked.subspan(4)};
}

/// A way of storing the channels of a pixel.
struct PixelFormat {
    int colour_type;
    int channels;
    std::string_view depths;  ///< the numbers of bits a channel may have, one per character
};

constexpr std::array pixel_formats{
    PixelFormat{0, 1, "\1\2\4\10\20"},  // grey
    PixelFormat{2, 3, "\10\20"},        // red, green, blue
    PixelFormat{3, 1, "\1\2\4\10"},     // palette
    PixelFormat{4, 2, "\10\20"},        // grey with alpha
    PixelFormat{6, 4, "\10\20"},        // red, green, blue with alpha
};

/// Reads the width or height of the picture.
int extent(std::string_view path, const Chunk& header, std::size_t place) {
    constexpr std::uint32_t longest = 1 << 24;
    const std::uint32_t pixels = big_endian(header.content.subspan(place));
    if (pixels == 0 || pixels > longest) {
        throw FormatError(path, header.offset,
                          fmt::format("a picture of {} pixels from side to side: 1 to {} are read",
                                      pixels, longest));
    }
    return static_cast<int>(pixels);
}

PngOutline read_header(std::string_view path, const Chunk& header) {
    constexpr std::size_t header_length = 13;
    if (header.type != "IHDR" || header.content.size() != header_length) {
        throw FormatError(path, header.offset, "a PNG file begins with an IHDR chunk of 13 bytes");
    }
    PngOutline outline{};
    outline.width = extent(path, header, 0);
    outline.height = extent(path, header, 4);
    constexpr std::int64_t most_pixels = std::int64_t{1} << 28;
    if (std::int64_t{outline.width} * outline.height > most_pixels) {
        throw FormatError(path, header.offset,
                          fmt::format("a picture of {}x{} pixels: at most 2^28 are read",
                                      outline.width, outline.height));
    }
    const int depth = std::to_integer<int>(header.content[8]);
    const int colour_type = std::to_integer<int>(header.content[9]);
    const auto* format = std::ranges::find(pixel_formats, colour_type, &PixelFormat::colour_type);
    const int interlacing = std::to_integer<int>(header.content[12]);
    if (format == pixel_formats.end() ||
        format->depths.find(static_cast<char>(depth)) == std::string_view::npos ||
        header.content[10] != std::byte{0} || header.content[11] != std::byte{0} ||
        interlacing > 1) {
        throw FormatError(path, header.offset, "an IHDR chunk that no PNG file has");
    }
    outline.bits_per_pixel = depth * format->channels;
    outline.is_interlaced = interlacing == 1;
    return outline;
}

/// True if a picture cannot be shown without the chunk: the first letter of its type is a capital.
bool is_critical(const Chunk& chunk) { return (chunk.type[0] & 0x20) == 0; }

/// The critical chunks of the PNG specification. CgBI, which Apple adds, changes what IDAT holds.
constexpr std::array<std::string_view, 4> known_critical_chunks{"IHDR", "PLTE", "IDAT", "IEND"};

constexpr std::string_view provenance_keyword{"pe-gen\0", 7};

/// Adds a chunk of an animation to the frames, without the number with which both kinds begin.
/// Throws: FormatError if there is no frame or too short a chunk.
void add_to_frames(std::string_view path, const Chunk& chunk, std::vector<PngFrame>& frames) {
    constexpr std::size_t number = 4, control = 26;
    const bool begins_frame = chunk.type == "fcTL";
    const std::size_t size = chunk.content.size();
    const bool is_whole = begins_frame ? size == control : size >= number && !frames.empty();
    if (!is_whole) {
        throw FormatError(path, chunk.offset,
                          fmt::format("a chunk {} that no animated PNG file has", chunk.type));
    }
    const std::span<const std::byte> content = chunk.content.subspan(number);
    if (begins_frame) {
        frames.push_back(
            {big_endian(content), big_endian(content.subspan(4)), std::string(text_of(content))});
    } else {
        frames.back().pixels += text_of(content);
    }
}

}  // namespace

std::vector<std::byte> png_bytes(const InputFile& file) {
    constexpr std::int64_t largest_file = std::int64_t{1} << 30;
    if (file.size() > largest_file) {
        throw FormatError(
            file.path(), fmt::format("a PNG file of {} bytes: at most 2^30 are read", file.size()));
    }
    std::vector<std::byte> bytes(file.size());
    file.read(0, bytes);
    return bytes;
}

PngOutline png_outline(std::string_view path, std::span<const std::byte> file) {
    if (!text_of(file).starts_with(png_signature)) {
        throw FormatError(path, 0, "not a PNG file: does not begin with \\x89PNG");
    }
    std::size_t offset = png_signature.size();
    const auto next = [&] {
        const Chunk chunk = chunk_at(path, file, offset);
        offset += around_content + chunk.content.size();
        return chunk;
    };
    PngOutline outline = read_header(path, next());
    for (;;) {
        const Chunk chunk = next();
        if (chunk.type == "IEND") break;
        if (is_critical(chunk) &&
            std::ranges::find(known_critical_chunks, chunk.type) == known_critical_chunks.end()) {
            throw FormatError(
                path, chunk.offset,
                fmt::format("a chunk {}, which the PNG specification does not have", chunk.type));
        }
        if (chunk.type == "IDAT") {
            outline.pixels.insert(outline.pixels.end(), chunk.content.begin(), chunk.content.end());
        }
        if (chunk.type == "fcTL" || chunk.type == "fdAT") {
            add_to_frames(path, chunk, outline.frames);
        }
        const std::string_view text = text_of(chunk.content);
        if (chunk.type == "tEXt" && text.starts_with(provenance_keyword)) {
            if (!outline.provenance.empty()) {
                throw FormatError(path, chunk.offset, "a second text 'pe-gen' in the PNG file");
            }
            outline.provenance = text.substr(provenance_keyword.size());
        }
    }
    if (offset != file.size()) {
        throw FormatError(
            path, static_cast<std::int64_t>(offset),
            fmt::format("{} bytes after the end of the PNG file", file.size() - offset));
    }
    return outline;
}

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

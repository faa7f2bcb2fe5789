#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/input_file.h"

namespace pegen {

/// A frame of an animated PNG.
struct PngFrame {
    std::uint32_t width;
    std::uint32_t height;
    std::string control;   ///< the fcTL chunk without its number: place, time, how it is painted
    std::string pixels{};  ///< the zlib stream of the fdAT chunks; "" for the picture of IDAT
};

/// The content of a PNG file, without decoded pixels.
struct PngOutline {
    int width;
    int height;
    int bits_per_pixel;
    bool is_interlaced;
    std::string provenance;         ///< the tEXt chunk "pe-gen"; "" if there is none
    std::vector<std::byte> pixels;  ///< the zlib stream of the IDAT chunks
    std::vector<PngFrame> frames;   ///< empty if the file is not animated
};

inline constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n";

/// Reads all bytes of `file`. Throws: FileError; FormatError if there are more than 2^30.
std::vector<std::byte> png_bytes(const InputFile& file);

/// Reads the chunks of the PNG file `path` from its bytes, and checks the length and the checksum
/// of each. Throws: FormatError, with the byte.
PngOutline png_outline(std::string_view path, std::span<const std::byte> file);

}  // namespace pegen

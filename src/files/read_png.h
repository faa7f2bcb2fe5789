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

/// The picture that a viewer shows of a PNG file, and the text about its origin that pe-gen wrote
/// into it.
struct PngContents {
    int width;
    int height;
    std::vector<std::byte> rgb;  ///< 3 bytes per pixel, row-major from the top left
    std::string provenance;      ///< the tEXt chunk "pe-gen", JSON; "" if there is none
};

/// Reads a PNG file. The file is not trusted: every length is checked before it is used, every
/// checksum is compared, and pixels are decoded only if there are as many as the header says. A
/// picture has at most 2^28 pixels, a file at most 2^30 bytes.
/// Throws: FileError if the file cannot be read; FormatError, with the byte if that helps, if it is
/// not a complete PNG file or has transparent pixels; std::bad_alloc.
///
/// libspng would replace most of this file. It was declined because its errors
/// are codes without the byte of the file, and because it inflates with zlib, which would be linked
/// besides libdeflate; pictures are written with libdeflate because that is faster.
PngContents read_png(std::string_view path);

/// Reads a PNG file from its bytes; `path` is for messages. Throws: as read_png().
PngContents decode_png(std::span<const std::byte> file, std::string_view path);

}  // namespace pegen

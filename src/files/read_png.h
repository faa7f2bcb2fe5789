#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pegen {

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
/// libspng would replace png_outline.h and much of this file. It was declined because its errors
/// are codes without the byte of the file, and because it inflates with zlib, which would be linked
/// besides libdeflate; pictures are written with libdeflate because that is faster.
PngContents read_png(std::string_view path);

/// Reads a PNG file from its bytes; `path` is for messages. Throws: as read_png().
PngContents decode_png(std::span<const std::byte> file, std::string_view path);

}  // namespace pegen

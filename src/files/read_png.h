#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pegen {

/// What somebody who looks at a PNG file sees, and what pe-gen said there about it.
struct PngContents {
    int width;
    int height;
    std::vector<std::byte> rgb;  ///< 3 for each pixel, row-major from the top left
    std::string provenance;      ///< the tEXt chunk "pe-gen", as JSON; "" without one
};

/// The file is not trusted: every length is checked before it is used, every checksum is
/// compared, and nothing is decoded of which more or less would come than the header says. Pictures
/// have at most 2^28 pixels and 2^30 bytes of file. Throws: FileError if the file cannot be read;
/// FormatError, where that helps with the byte, if it is not a whole PNG file, or has transparent
/// pixels; std::bad_alloc.
PngContents read_png(std::string_view path);

/// The same for the bytes of a file; `path` is for messages.
PngContents decode_png(std::span<const std::byte> file, std::string_view path);

}  // namespace pegen

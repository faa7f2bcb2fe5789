#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "figure/image.h"
#include "formats/format.h"

namespace pegen {

namespace formats {
/// The figure of the table as a PNG file; its parameters are figure_parameters(). If the table is
/// generated, a tEXt chunk "pe-gen" holds its provenance as JSON.
extern const Format png;
}  // namespace formats

/// The keyword, of 1 to 79 bytes, and the text of a tEXt chunk, both Latin-1 without zero bytes.
using PngText = std::pair<std::string_view, std::string_view>;

/// Returns the image as a PNG file: its colours are the palette, a pixel has 8 bits, pHYs is its
/// dpi, the texts follow in order. The file has no date or version: the same input makes the same
/// bytes.
std::string encode_png(const Image& image, const std::vector<PngText>& texts);

/// Returns the pixels of the image as the chunk IDAT has them, and an image in PDF: row by row,
/// each after the number of its filter, as a zlib stream.
std::string png_rows(const Image& image);

}  // namespace pegen

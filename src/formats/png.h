#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "figure/image.h"
#include "formats/format.h"

namespace pegen {

namespace formats {
/// The figure of the table as a PNG file; its parameters are figure_parameters(). Of a generated
/// table the file carries the provenance, as JSON in a tEXt chunk "pe-gen".
extern const Format png;
}  // namespace formats

/// A keyword and a text for a tEXt chunk, both Latin-1 without zero bytes; keywords have 1 to 79.
using PngText = std::pair<std::string_view, std::string_view>;

/// The image as a PNG file: its colours as the palette, 8 bits a pixel, pHYs from its dpi, the
/// texts in order. The same bytes for the same input, without date or version. Pictures have at
/// most 2^28 pixels: stb counts bytes as int.
std::string encode_png(const Image& image, const std::vector<PngText>& texts);

}  // namespace pegen

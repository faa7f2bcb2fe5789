#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/shape.h"
#include "core/table.h"

namespace pegen::encodings {

/// Says which pixels of a batch of images are padding.
struct PixelMask {
    Shape shape;                     ///< (batch, frames, height, width)
    std::vector<std::byte> padding;  ///< 1: padding, 0: a valid pixel; row-major
};

/// Opens the mask in an NPY file: bool, (batch, height, width) or (batch, frames, height, width),
/// no axis empty, and at most 2^28 pixels. Throws: FileError; FormatError if the file holds no such
/// mask.
Table open_mask(std::string_view path);

/// Reads the mask that open_mask has opened: a byte for each pixel. Images are videos of one frame.
/// Throws: FileError.
PixelMask read_mask(const Table& mask);

}  // namespace pegen::encodings

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/shape.h"

namespace pegen::encodings {

/// Which pixels of a batch of images are padding.
struct PixelMask {
    Shape shape;                     ///< (batch, height, width)
    std::vector<std::byte> padding;  ///< 1: padding, 0: a valid pixel; row-major
};

/// The shape of the mask in an NPY file, which is bool and has three axes, none of them empty, and
/// at most 2^28 pixels. Throws: FileError; FormatError if it is no such mask.
Shape mask_shape(std::string_view path);

/// The mask itself; it takes a byte for each pixel. Throws: as mask_shape.
PixelMask read_mask(std::string_view path);

}  // namespace pegen::encodings

#pragma once

#include <string_view>
#include <vector>

#include "core/shape.h"

namespace pegen::encodings {

/// The shape (points, axes) of the array in an NPY file, which is of floats and has at least one
/// coordinate and at most 2^28. Throws: FileError; FormatError if it is no such array.
Shape points_shape(std::string_view path);

/// The coordinates themselves, a list for each axis: eight bytes each.
/// Throws: as points_shape; FormatError if one is not finite.
std::vector<std::vector<double>> read_points(std::string_view path);

}  // namespace pegen::encodings

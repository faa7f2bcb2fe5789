#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "files/array_file.h"

namespace pegen::encodings {

/// An array (points, axes) in an open file.
struct PointsFile : ArrayFile {
    std::int64_t points() const { return table.shape[0]; }
    std::int64_t axes() const { return table.shape[1]; }
};

/// Opens the array in an NPY file, floats or integers, with 1 to 2^28 coordinates; a list of
/// numbers is one axis. Throws:
/// FileError; FormatError if the file holds no such array.
PointsFile open_points(std::string_view path);

/// Reads the coordinates, one list for each axis, eight bytes for each coordinate. Throws:
/// FileError; FormatError if a coordinate is not finite or an integer beyond 2^53.
std::vector<std::vector<double>> read_points(const PointsFile& file);

/// Clears the extents of the grid, for points from `file`, and fills in --axes. Throws: UsageError
/// if an extent or a parameter in `of_grid` is given, or if --axes has other axes; FormatError if
/// the points have not two or three axes.
Parameters with_points(Parameters parameters, const PointsFile& file,
                       std::initializer_list<std::string_view> of_grid);

}  // namespace pegen::encodings

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/table.h"

namespace pegen::encodings {

/// An array (points, axes) in a file that is open.
struct PointsFile {
    std::string path;
    Table table;

    std::int64_t points() const { return table.shape[0]; }
    std::int64_t axes() const { return table.shape[1]; }
};

/// Opens the array in an NPY file: of floats, with at least one coordinate and at most 2^28.
/// Throws: FileError; FormatError if the file holds no such array.
PointsFile open_points(std::string_view path);

/// Reads the coordinates, a list for each axis: eight bytes each.
/// Throws: FileError; FormatError if one is not finite.
std::vector<std::vector<double>> read_points(const PointsFile& file);

}  // namespace pegen::encodings

#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "core/positions.h"
#include "files/array_file.h"

namespace pegen::encodings {

inline constexpr ParameterSpec positions_file_parameter{
    .name = "positions-file",
    .type = ParameterType::path,
    .summary =
        "file of positions, instead of --positions: NPY, or .csv or .txt with a number a "
        "line; - is standard input, as text",
    .is_rare = true};

/// Opens positions. An NPY, NPZ or safetensors file (FILE:NAME) holds them in an array of one axis,
/// or of shape (n, 1). A file whose name ends in .csv or .txt holds them as text, separated by
/// commas, spaces and line ends, with at most one line of names before; of several names with
/// commas between them, it is a table (text_table.h) with the positions in its only column. "-" is
/// standard input, as text, which is read once. A long array is read again whenever its positions
/// are asked for; a text is kept in memory. Throws: FileError; FormatError if there are no
/// positions, or if one is not between -2^53 and 2^53. Asking for the positions of a long array
/// throws the same if the file has changed.
Positions open_positions(std::string_view path);

/// Opens positions that are ids of tokens. Throws: as open_positions(); FormatError if one is not a
/// whole number.
Positions open_ids(std::string_view path);

/// An array (points, axes) in an open file.
struct PointsFile : ArrayFile {
    std::int64_t points() const { return table.shape[0]; }
    std::int64_t axes() const { return table.shape[1]; }
};

/// Opens the array in an NPY file, floats or integers, with 1 to 2^28 coordinates; a list of
/// numbers is one axis. Throws:
/// FileError; FormatError if the file holds no such array.
PointsFile open_points(std::string_view path);

/// Reads the coordinates, one list for each axis, eight bytes for each coordinate. Messages call
/// the array `what`. Throws: FileError; FormatError if a coordinate is not finite or an integer
/// beyond 2^53.
std::vector<std::vector<double>> read_points(const PointsFile& file,
                                             std::string_view what = "points");

/// Clears the extents of the grid, for points from `file`, and fills in --axes. Throws: UsageError
/// if an extent or a parameter in `of_grid` is given, or if --axes has other axes; FormatError if
/// the points have not two or three axes.
Parameters with_points(Parameters parameters, const PointsFile& file,
                       std::initializer_list<std::string_view> of_grid);

}  // namespace pegen::encodings

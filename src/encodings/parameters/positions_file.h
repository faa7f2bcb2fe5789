#pragma once

#include <string_view>

#include "core/parameters.h"
#include "core/positions.h"

namespace pegen::encodings {

inline constexpr ParameterSpec positions_file_parameter{
    .name = "positions-file",
    .type = ParameterType::path,
    .summary =
        "file of positions, instead of --positions: NPY, or .csv or .txt with a number a "
        "line; - is standard input, as text",
    .is_rare = true};

/// Opens positions: the numbers of an array of one axis, or of (n, 1), in NPY, NPZ or safetensors
/// (FILE:NAME); or those of a file whose name ends in .csv or .txt, between commas, spaces and line
/// ends, after a line of column names if there is one. A long array is read again whenever its
/// positions are asked for; a text is kept. "-" is standard input, a text, which is read once.
/// Throws: FileError; FormatError if there are none, or one is not between -2^53 and 2^53. So does
/// asking for positions of a long array that has changed.
Positions open_positions(std::string_view path);

}  // namespace pegen::encodings

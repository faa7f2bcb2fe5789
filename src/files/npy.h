#pragma once

#include <memory>
#include <string_view>

#include "core/table.h"
#include "files/input_file.h"
#include "files/stored_array.h"

namespace pegen {

/// Opens the array in an NPY file.
///
/// Reads versions 1.0 to 3.0, both byte orders and Fortran order; float16/32/64, bfloat16 (as raw
/// two-byte elements), int8 to int64, uint8 to uint64, bool (any non-zero byte is true). The file
/// is not trusted: every length is checked before it is used.
///
/// Throws: FileError if the file cannot be read; FormatError, with the byte, if it is not such a
/// file, is shorter or longer than its header says, holds anything else, or has no elements but
/// other extents that multiply to more than 2^24. The rows throw FileError.
StoredArray read_npy(std::shared_ptr<const InputFile> file);

/// Opens the array in the NPY file of this path and returns its table.
Table read_npy(std::string_view path);

}  // namespace pegen

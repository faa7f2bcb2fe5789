#pragma once

#include <memory>
#include <string_view>

#include "files/input_file.h"
#include "files/stored_array.h"

namespace pegen {

/// True if the text begins with brackets, and one of `separators` follows the first item in them.
bool begins_as_list(std::string_view text, std::string_view separators);

/// True if the file begins as a table in JSON: as pe-gen writes it, an object with "dtype", "shape"
/// and "data"; or as a list of numbers, or of such lists. Throws: FileError.
bool begins_as_json_table(const InputFile& file);

/// Reads a table in JSON, of at most 64 MiB. A bare list is of int64 if it has no fraction, and
/// else of float64. "NaN", "Infinity" and "-Infinity" are numbers, true and false are 1 and 0.
/// Throws: FormatError, with the place in the data, for an item that is no number of the dtype and
/// for a list of another length than the first one; FileError.
StoredArray read_json_table(const std::shared_ptr<const InputFile>& file);

}  // namespace pegen

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "files/input_file.h"
#include "files/stored_array.h"

namespace pegen {

/// True if the bytes are a text: they have no control characters but white space.
bool is_text(std::string_view bytes);

/// True if the file begins as a text of numbers: with a line of numbers; with a line of names, in
/// which a line follows that begins with a number; or with the header of pe-gen's CSV alone. Blank
/// lines and comments, behind '#', do not count. Throws: FileError.
bool begins_as_text_table(const InputFile& file);

/// Says which is the first word of a text where a number would be: "line 1, column 1 has '0x10'".
std::string first_word(std::string_view text);

/// Reads a text of numbers: CSV, TSV, columns between blanks, one row a line; at most 1 GiB, and
/// 2^26 numbers. The first line says what is between two numbers: a semicolon, a comma, a tab, or
/// else white space; quotes around fields do not count. A line of names before the numbers is left
/// out, and so is a column of row labels whose name is empty, and a line 0,1,2,3 ... before numbers
/// that are not written whole.
///
/// pe-gen's own CSV gets back the shape that wrote it: its index columns, the names before 0, 1, 2
/// ... or before "value", count the rows of the other axes. A single such column of numbers that
/// neither count rows nor are called "position" is one of the table: x in x,value. Without a
/// header, a single column has one axis, everything else two.
///
/// The table is float32 if a float32 table may have written every number: none has more than nine
/// digits, lies outside the range of float32, or is written whole and no float32. Otherwise it is
/// float64. Each number is correctly rounded.
/// Throws: FormatError, with the line and the column of the first field that is no number, or for a
/// row of another length; FileError.
StoredArray read_text_table(const std::shared_ptr<const InputFile>& file);

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

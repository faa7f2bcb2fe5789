#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.h"
#include "core/shape.h"
#include "core/table.h"
#include "files/input_file.h"
#include "files/stored_array.h"

namespace pegen {

/// The way in which the elements of an NPY file are stored.
struct NpyElement {
    DType dtype;
    bool is_big_endian;  ///< false for elements of one byte
    /// True if the element has two numbers of the dtype: the real and the imaginary part.
    bool is_complex = false;
};

/// Returns the type that `descr`, at `offset` of the file `path`, describes.
/// Throws: FormatError, which says what such elements are and what to save instead, if they are not
/// supported.
NpyElement npy_element(std::string_view descr, std::int64_t offset, std::string_view path);

/// The entries of an NPY header as they are written. The offsets count from the start of the file
/// and are for messages.
struct NpyDictionary {
    std::string descr;
    std::int64_t descr_offset = 0;
    bool fortran_order = false;
    std::vector<std::int64_t> shape;
    std::int64_t shape_offset = 0;
};

/// Reads {'descr': '<f4', 'fortran_order': False, 'shape': (400, 128), }: each of the three keys
/// once, in any order, in single or double quotes, with spaces and a last comma where Python allows
/// them. Nothing is evaluated. `offset` is where `text` begins in the file `path`.
/// Throws: FormatError at the first character that does not belong.
NpyDictionary parse_npy_dictionary(std::string_view text, std::int64_t offset,
                                   std::string_view path);

/// The most axes an array of NumPy 2 can have.
inline constexpr int npy_largest_rank = 64;

/// Returns the header that numpy.save of NumPy 1.24 and later writes before a little-endian,
/// C-ordered array.
/// Throws: UsageError if the rank exceeds npy_largest_rank.
std::string npy_header(DType dtype, const Shape& shape);

/// True if the file begins with NPY's magic number, or is shorter and has only the begin of it.
/// Throws: FileError.
bool begins_as_npy(const InputFile& file);

/// Reads the header of the NPY file `file`, and none of its elements. Complex numbers get a last
/// axis of extent 2, the real and the imaginary part.
/// Throws: FormatError if it is not an NPY header, or describes an array that no table can hold.
ArrayLayout read_npy_header(const InputFile& file);

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

#pragma once

#include <string>

#include "core/dtype.h"
#include "core/shape.h"
#include "files/input_file.h"
#include "files/stored_array.h"

namespace pegen {

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

}  // namespace pegen

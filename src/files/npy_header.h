#pragma once

#include <cstdint>
#include <string>

#include "core/dtype.h"
#include "core/shape.h"
#include "files/input_file.h"

namespace pegen {

struct NpyHeader {
    DType dtype;
    bool is_big_endian;  ///< false for elements of one byte
    bool fortran_order;
    Shape shape;
    std::int64_t end;  ///< offset of the first element
};

/// NumPy 2 has arrays of at most this many axes.
inline constexpr int npy_largest_rank = 64;

/// What numpy.save of NumPy 1.24 and later writes before a little-endian, C-ordered array.
/// Throws: UsageError if the rank exceeds npy_largest_rank.
std::string npy_header(DType dtype, const Shape& shape);

/// The header of `file`, whose elements are not looked at.
/// Throws: FormatError if it is none, or describes what no table can hold.
NpyHeader read_npy_header(const InputFile& file);

}  // namespace pegen

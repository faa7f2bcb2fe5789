#pragma once

#include <cstdint>
#include <string_view>

#include "core/dtype.h"

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

}  // namespace pegen

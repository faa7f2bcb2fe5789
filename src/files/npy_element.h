#pragma once

#include <cstdint>
#include <string_view>

#include "core/dtype.h"

namespace pegen {

/// How the elements of an NPY file are stored.
struct NpyElement {
    DType dtype;
    bool is_big_endian;  ///< false for elements of one byte
    /// The element has two numbers of the dtype: the real and the imaginary part.
    bool is_complex = false;
};

/// Returns the type that `descr`, at `offset` of the file `path`, stands for.
/// Throws: FormatError, with what such elements are and what to save instead, if they are not
/// supported.
NpyElement npy_element(std::string_view descr, std::int64_t offset, std::string_view path);

}  // namespace pegen

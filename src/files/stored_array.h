#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/dtype.h"
#include "core/shape.h"
#include "core/table.h"
#include "files/input_file.h"

namespace pegen {

/// The layout of an array in a file.
struct ArrayLayout {
    DType dtype;
    bool is_big_endian;  ///< false for elements of one byte
    bool fortran_order;
    Shape shape;
    std::int64_t begin;  ///< offset of the first element; the last one ends the file
};

/// An array in an open file.
struct StoredArray {
    ArrayLayout layout;
    Table table;   ///< native (little-endian) and C-ordered, with the axes axis0, axis1, ...
    Table stored;  ///< the elements in the order of the file, on one axis
};

/// Opens the array in `file`. Its rows are read on demand from the file, which stays open; any
/// non-zero byte of a bool is true.
/// Throws: FormatError if the file does not end where the array does. The rows throw FileError.
StoredArray stored_array(std::shared_ptr<const InputFile> file, const ArrayLayout& layout);

/// Returns the shape that the file `path` gives to an array, at `offset` if that is known.
/// Throws: FormatError if no table has such a shape, or if it has no elements and its other extents
/// multiply to more than 2^24. A tiny file can hold such an array: without this limit, going
/// through that many rows, or memory for such a row, would have no bound.
Shape stored_shape(std::vector<std::int64_t> extents, std::string_view path,
                   std::optional<std::int64_t> offset = {});

/// Returns the index, in the order of the file, of the element with index `element` in C order.
std::int64_t stored_place(const ArrayLayout& layout, std::int64_t element);

}  // namespace pegen

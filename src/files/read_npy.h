#pragma once

#include <memory>

#include "core/table.h"
#include "files/input_file.h"
#include "files/npy_header.h"

namespace pegen {

/// The array in an open NPY file.
struct NpyArray {
    NpyHeader header;
    Table table;   ///< as read_npy(path) returns it
    Table stored;  ///< of one axis: the elements in the order of the file
};

/// Opens the array in `file`.
/// Throws: as read_npy(path), in files/npy.h.
NpyArray read_npy(std::shared_ptr<const InputFile> file);

/// Returns the index, in the order of the file, of the element with index `element` in C order.
std::int64_t stored_place(const NpyHeader& header, std::int64_t element);

}  // namespace pegen

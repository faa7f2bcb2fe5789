#pragma once

#include <memory>

#include "core/table.h"
#include "files/input_file.h"
#include "files/npy_header.h"

namespace pegen {

/// The array in a file that is open.
struct NpyArray {
    NpyHeader header;
    Table table;   ///< as read_npy() has it
    Table stored;  ///< of one axis: the elements in the order of the file
};

/// Throws: as read_npy().
NpyArray read_npy(std::shared_ptr<const InputFile> file);

/// Where in the order of the file the element stands that has the place `element` in C order.
std::int64_t stored_place(const NpyHeader& header, std::int64_t element);

}  // namespace pegen

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pegen {

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

}  // namespace pegen

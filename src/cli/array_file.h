#pragma once

#include <string>

#include "core/table.h"

namespace pegen::cli {

/// An array in a file.
struct ArrayFile {
    std::string path;
    Table table;
};

/// Opens an NPY file or a pipe; - is standard input. Throws: FileError, FormatError.
ArrayFile open_array(const std::string& path);

}  // namespace pegen::cli

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "files/input_file.h"

namespace pegen {

/// Returns what a file is that no array is read from, as its first bytes tell, and what to do, for
/// a message: "is a PyTorch checkpoint, which is not read; in Python: import numpy, torch; ...".
/// The Python makes an NPY or NPZ file beside the file. `members` are the names in a ZIP archive.
/// Throws: FileError.
std::string foreign_text(const InputFile& file, std::span<const std::string> members = {});

}  // namespace pegen

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "files/input_file.h"

namespace pegen {

/// Returns a text for a message about a file from which no array is read: what it is, as its first
/// bytes tell, and what to do: "is a pickle, which is not read; in Python, if you trust it, as
/// its code is run: import numpy, pickle; ...". The Python code makes an NPY or NPZ file beside the
/// file. `members` are the names in a ZIP archive. Throws: FileError.
std::string foreign_text(const InputFile& file, std::span<const std::string> members = {});

}  // namespace pegen

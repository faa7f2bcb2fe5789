#pragma once

#include <memory>
#include <string_view>

#include "files/archive.h"

namespace pegen {

/// True if a file that begins so is a ZIP archive.
bool is_zip(std::string_view start);

/// Opens a ZIP archive of NPY files; the array cos is the file cos.npy. An archive of other files
/// only is refused as what it is. Throws: as open_archive().
Archive read_npz(const std::shared_ptr<const InputFile>& file);

}  // namespace pegen

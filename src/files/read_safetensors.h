#pragma once

#include <memory>
#include <string_view>

#include "files/archive.h"

namespace pegen {

/// True if a file that begins so is a safetensors file.
bool is_safetensors(std::string_view start);

/// Opens a safetensors file: the length of a JSON header, the header, the elements. As for the
/// reference implementation, tensors must cover the elements without a hole and without overlap,
/// and the header has at most 100 MB. Throws: as open_archive().
Archive read_safetensors(const std::shared_ptr<const InputFile>& file);

}  // namespace pegen

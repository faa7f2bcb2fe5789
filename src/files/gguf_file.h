#pragma once

#include <memory>
#include <vector>

#include "core/json.h"
#include "files/archive.h"
#include "files/input_file.h"

namespace pegen {

/// The content of a GGUF file, in which llama.cpp keeps a model.
struct GgufFile {
    /// The values by their keys, "llama.rope.freq_base". What is long is null: lists of texts, such
    /// as a vocabulary, or of lists, numbers beyond 2^16, and texts of more than 4096 bytes.
    Json metadata;
    std::vector<ArchiveMember> tensors;
};

/// True if the file begins as a GGUF file does. Throws: FileError.
bool begins_as_gguf(const InputFile& file);

/// Reads a GGUF file of version 2 or 3 in either byte order: keys with values, a list of tensors,
/// whose extents are stored innermost first, and the elements, which are read where they lie. A
/// quantized tensor is refused when it is opened. The file is not trusted: all sizes and places
/// are checked before they are used; its keys and its list of tensors have at most 256 MiB.
/// Source: ggml-org/ggml, docs/gguf.md. Throws: FormatError; FileError.
GgufFile read_gguf(const std::shared_ptr<const InputFile>& file);

}  // namespace pegen

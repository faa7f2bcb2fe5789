#pragma once

#include "formats/format.h"

namespace pegen::formats {

/// Hugging Face's file of tensors: the length of a JSON header as 8 little-endian bytes, the
/// header, the elements. As in files of the reference implementation, the header is padded with
/// spaces to a multiple of 8 bytes, and tensors of wider elements come first, so that all are
/// aligned. Its __metadata__ records under "pe-gen" where generated tables come from.
/// Source: github.com/huggingface/safetensors, README.
extern const Format safetensors;

}  // namespace pegen::formats

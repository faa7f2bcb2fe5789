#pragma once

#include <memory>
#include <string_view>

#include "encodings/rotary/config/model_config.h"
#include "files/input_file.h"

namespace pegen::encodings {

/// Reads the rotary positions of a GGUF file, as llama.cpp has them: from the keys of the model's
/// architecture, and from the divisors of the frequencies in the tensors rope_freqs.weight,
/// rope_factors_short.weight and rope_factors_long.weight. Source: ggml-org/llama.cpp,
/// src/llama-model.cpp, llama_model_rope_type(), src/llama-context.cpp, ggml/src/ggml-cpu/ops.cpp.
/// Throws: FileError; FormatError, naming the key, for contradictory, unknown or missing values,
/// and for any `layer_type` but "".
ModelConfig read_gguf_config(const std::shared_ptr<const InputFile>& file,
                             std::string_view layer_type);

}  // namespace pegen::encodings

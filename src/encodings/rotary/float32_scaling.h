#pragma once

#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "encodings/rotary/scaling.h"
#include "numerics/float32_angles.h"

// The frequencies and angles of RoPE as other code computes them in float32, step by step.
namespace pegen::encodings {

/// Checks that --arith other than exact has --scaling and the table. Throws: UsageError if not.
void check_arith(const Parameters& resolved, std::string_view table);

/// Returns the inverse frequencies of --arith float32: the operations of Hugging Face Transformers,
/// src/transformers/modeling_rope_utils.py, each rounded to float32, powers correctly rounded.
/// Throws: UsageError if a parameter or a frequency is no float32 number.
std::vector<float> float32_frequencies(const Parameters& resolved, const Rope& rope);

/// Returns the angles of --arith float32, or those of --arith ggml: ggml,
/// ggml/src/ggml-cpu/ops.cpp, with the divisors of llama.cpp's converter. Throws: as
/// float32_frequencies().
numerics::Float32Angles float32_angles(const Parameters& resolved, const Rope& rope,
                                       const Positions& positions);

}  // namespace pegen::encodings

#pragma once

#include <functional>

#include "encodings/encoding.h"
#include "encodings/parameters/attention_parameters.h"

namespace pegen::encodings {

inline constexpr ParameterSpec mask_parameter{
    .name = "mask",
    .type = ParameterType::word,
    .default_value = "none",
    .choices = "none causal",
    .summary = "causal puts minus infinity where a key comes after its query"};

/// Returns the plan of a bias (head, query, key). `rows` makes its rows, to which --mask is
/// applied.
Plan bias_plan(Parameters parameters, rows::AttentionSize size,
               std::function<RowSource(DType dtype)> rows);

}  // namespace pegen::encodings

#pragma once

#include <functional>

#include "encodings/cell.h"
#include "encodings/encoding.h"
#include "encodings/parameters/attention_parameters.h"

namespace pegen::encodings {

inline constexpr ParameterSpec mask_parameter{
    .name = "mask",
    .type = ParameterType::word,
    .default_value = "none",
    .choices = "none causal",
    .summary = "causal puts minus infinity where a key comes after its query"};

/// Makes the rows of a bias, as Plan::make_rows does.
using BiasRows = std::function<RowSource(DType dtype)>;

/// Returns the cell of a bias.
using BiasCell = std::function<Cell(std::int64_t head, std::int64_t query, std::int64_t key)>;

/// Returns the plan of a bias (head, query, key). `rows` makes its rows, to which --mask is
/// applied, and `cell_of`, unless it is null, says how a value comes about without it. The bias is
/// taken to be for models that hide keys of the future: see Plan::is_before_mask.
Plan bias_plan(Parameters parameters, rows::AttentionSize size, BiasRows rows,
               BiasCell cell_of = nullptr);

}  // namespace pegen::encodings

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

/// Makes the rows of a bias, like Plan::make_rows.
using BiasRows = std::function<Rows(DType dtype)>;

/// Returns the cell of a value of a bias.
using BiasCell = std::function<Cell(std::int64_t head, std::int64_t query, std::int64_t key)>;

/// Returns the plan of a bias (head, query, key). `rows` makes the rows before --mask is applied.
/// `cell_of` returns the cell of a value before the mask, or is null. Assumes that models mask the
/// keys after the query: see Plan::is_before_mask.
Plan bias_plan(Parameters parameters, rows::AttentionSize size, BiasRows rows,
               BiasCell cell_of = nullptr);

}  // namespace pegen::encodings

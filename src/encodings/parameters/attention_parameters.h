#pragma once

#include <cstdint>
#include <functional>

#include "core/axis.h"
#include "core/parameters.h"
#include "encodings/cell.h"
#include "encodings/encoding.h"
#include "rows/by_distance.h"

namespace pegen::encodings {

// The parameters of tables over queries and keys, the same in every encoding with such tables.

inline constexpr ParameterSpec heads_parameter{.name = "heads",
                                               .aliases = "num-heads n-heads num-attention-heads",
                                               .type = ParameterType::integer,
                                               .default_value = "8",
                                               .range = {.lowest = 1, .highest = 1 << 16},
                                               .summary = "number of attention heads"};

inline constexpr ParameterSpec queries_parameter{
    .name = "len",
    .aliases = "n queries query-len max-len length seq-len",
    .type = ParameterType::integer,
    .default_value = "64",
    .range = any_count,
    .summary = "number of queries",
    .role = Role::extent};

inline constexpr ParameterSpec keys_parameter{
    .name = "key-len",
    .aliases = "keys",
    .type = ParameterType::integer,
    .range = any_count,
    .summary = "number of keys; the queries are the last of them [--len]",
    .role = Role::extent};

/// Fills in --key-len: by default as many keys as queries.
Parameters with_keys(Parameters parameters);

/// Fills in --key-len. Throws: UsageError if there are fewer keys than queries.
Parameters resolve_keys(Parameters parameters);

/// Returns the numbers of queries and keys that the resolved parameters give.
rows::AttentionSize attention_size(const Parameters& parameters);

Axis head_axis();
Axis query_axis(rows::AttentionSize size);
Axis key_axis(rows::AttentionSize size);

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

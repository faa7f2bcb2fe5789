#pragma once

#include <cstdint>

#include "core/axis.h"
#include "core/parameters.h"
#include "rows/by_distance.h"

// The parameters of tables over queries and keys, the same in every encoding with such tables.
namespace pegen::encodings {

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

}  // namespace pegen::encodings

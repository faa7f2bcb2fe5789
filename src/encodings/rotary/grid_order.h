#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/parameters.h"

// In which order the tokens of a grid follow each other, as rope-grid has them.
namespace pegen::encodings {

inline constexpr std::array grid_order_parameters{
    ParameterSpec{.name = "merge",
                  .aliases = "spatial-merge-size merge-size",
                  .type = ParameterType::integer,
                  .default_value = "1",
                  .range = {.lowest = 1, .highest = 1 << 10},
                  .summary = "order tokens by blocks of N x N that the model merges"},
    ParameterSpec{.name = "window",
                  .type = ParameterType::integer,
                  .default_value = "0",
                  .range = {.lowest = 0, .highest = 1 << 20},
                  .summary = "order tokens by windows of N x N; 0 for none"},
};

/// True if tokens follow each other along the rows of a frame.
bool is_in_rows(const Parameters& parameters);

/// Checks --merge and --window, by which the order of a frame's tokens is kept in memory.
/// Throws: UsageError if blocks do not fit, or if a frame has too many tokens.
void check_order(const Parameters& parameters);

/// Returns which token of a frame comes to each place: window by window, in each of them block by
/// block, in each of those row by row.
std::vector<std::int64_t> token_order(const Parameters& parameters);

}  // namespace pegen::encodings

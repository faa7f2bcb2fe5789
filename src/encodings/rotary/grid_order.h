#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/parameters.h"

// The order of the tokens of a grid in rope-grid.
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

/// True if the tokens of each frame are ordered row by row.
bool is_in_rows(const Parameters& parameters);

/// Checks --merge and --window, for which the order of a frame's tokens is kept in memory. Throws:
/// UsageError if the blocks do not fit, or if a frame has too many tokens.
void check_order(const Parameters& parameters);

/// Returns the token of a frame at each place of the order: window by window, block by block within
/// each window, and row by row within each block.
std::vector<std::int64_t> token_order(const Parameters& parameters);

}  // namespace pegen::encodings

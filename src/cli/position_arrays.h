#pragma once

#include <string_view>

#include "core/table.h"

// Which arrays of a model may be positions, by what public code calls them and how it shapes them.
namespace pegen::cli {

/// True for names such as "embed_positions.weight" and "blocks.0.rel_pos_h"; false for weights of
/// layers that work on positions.
bool is_position_name(std::string_view name);

/// True for names of what turns queries and keys, such as "rotary_emb.inv_freq".
bool is_rotary_name(std::string_view name);

/// True for (1, N, ...): parameters with a place for a batch are positions more often than not.
/// Truth values are masks.
bool has_position_shape(const Table& table);

}  // namespace pegen::cli

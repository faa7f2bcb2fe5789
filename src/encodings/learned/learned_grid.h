#pragma once

#include "encodings/encoding.h"

namespace pegen::encodings {

/// DETR's learned positions of an image before training: a table of max_size rows of N =
/// num_pos_feats for the column x, and one for the row y,
///
///     PE[0, c, y, x]     = col[x, c],  c = 0 ... N - 1
///     PE[0, N + c, y, x] = row[y, c]            or, with combine sum,
///     PE[0, c, y, x]     = col[x, c] + row[y, c].
///
/// x comes first, unlike in DETR's sines. Values are uniform in [0, 1), drawn as PyTorch does after
/// torch.manual_seed(seed): normals for row and col, which are thrown away, then row, then col.
///
/// Table: encoding (1, 2 N, height, width), or (1, N, height, width) with combine sum; axes (batch,
/// channel, height, width).
/// In float32 the very bits; float64 has the same values, the narrower types those values rounded.
/// Source: Carion et al. 2020, arXiv:2005.12872; facebookresearch/detr, PositionEmbeddingLearned.
extern const Encoding learned_grid;

}  // namespace pegen::encodings

#pragma once

#include <array>

#include "encodings/preset.h"

// The presets of learned grids, for learned_grid.cpp alone.
namespace pegen::encodings {

inline constexpr std::array learned_grid_presets{
    PresetSpec{
        .name = "detr-learned",
        .settings = "",
        .summary = "DETR's learned positions of an image, as initialized",
        .source = "facebookresearch/detr, models/position_encoding.py, PositionEmbeddingLearned",
        .note = "x comes first, unlike in DETR's sines. DETR's own models have hidden_dim / 2 = "
                "128 for --num-pos-feats."},
};

}  // namespace pegen::encodings

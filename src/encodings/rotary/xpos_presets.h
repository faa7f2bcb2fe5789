#pragma once

#include <array>

#include "encodings/preset.h"

// The presets of xPos, for xpos.cpp alone.
namespace pegen::encodings {

inline constexpr std::array xpos_presets{
    PresetSpec{.name = "flash-attn-xpos",
               .settings = "--centre floor --layout single",
               .summary = "flash-attention's RotaryEmbedding with scale_base",
               .source = "Dao-AILab/flash-attention, flash_attn/layers/rotary.py",
               .note = "Its caches have each frequency once; the pairing is its interleaved "
                       "option. With an odd length the scale is one position off torchscale's; "
                       "products of queries and keys are the same. Tables depend on the length: "
                       "with a cache of keys both sides need the same --len."},
    PresetSpec{.name = "lucidrains-xpos",
               .aliases = "x-transformers-xpos",
               .settings = "--centre floor --layout interleaved",
               .summary = "rotary-embedding-torch with use_xpos; also x-transformers",
               .source = "lucidrains/rotary-embedding-torch, rotary_embedding_torch/"
                         "rotary_embedding_torch.py",
               .note = "Pairing interleaved: channel 2m turns with 2m + 1. With an odd length the "
                       "scale is one position off torchscale's; products of queries and keys are "
                       "the same."},
    PresetSpec{.name = "torchscale",
               .aliases = "torchscale-xpos",
               .settings = "--centre ceil --layout interleaved",
               .summary = "xPos as its authors implement it, in torchscale",
               .source = "microsoft/torchscale, torchscale/component/xpos_relative_position.py",
               .note = "Pairing interleaved: channel 2m turns with 2m + 1. -len // 2 in its code "
                       "rounds down, so the centre is ceil(len / 2): with an odd length the scale "
                       "is one position off everybody else's. With an offset the table is the "
                       "last rows of --len length + offset."},
};

}  // namespace pegen::encodings

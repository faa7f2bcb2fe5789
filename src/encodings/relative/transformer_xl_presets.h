#pragma once

#include <array>

#include "encodings/preset.h"

// The presets of Transformer-XL's distances, for transformer_xl.cpp alone.
namespace pegen::encodings {

inline constexpr std::array transformer_xl_presets{
    PresetSpec{
        .name = "conformer",
        .aliases = "espnet-conformer wav2vec2-conformer",
        .settings = "--range full --layout interleaved",
        .summary = "Conformer: distances from len - 1 down to -(len - 1), sin and cos interleaved",
        .source = "facebookresearch/fairseq, fairseq/modules/positional_encoding.py, "
                  "RelPositionalEncoding",
        .note = "ESPnet's legacy class has positive distances alone, and WeNet uses absolute "
                "positions under the same name."},
    PresetSpec{
        .name = "xlnet",
        .settings = "--range xlnet --d 1024",
        .summary = "XLNet: distances of both signs, from key-len down to -(len - 1)",
        .source = "huggingface/transformers, src/transformers/models/xlnet/modeling_xlnet.py, "
                  "relative_positional_encoding",
        .note = "Row 0 is never read. --clamp, clamp_len there, clamps both sides. With attn_type "
                "'uni' the rows end at distance 0: --range causal and one row in front."},
};

}  // namespace pegen::encodings

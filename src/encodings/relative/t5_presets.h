#pragma once

#include <array>

#include "encodings/preset.h"

// The presets of T5's buckets, for t5.cpp alone.
namespace pegen::encodings {

inline constexpr std::array t5_presets{
    PresetSpec{
        .name = "t5-decoder",
        .settings = "--causal",
        .summary = "the buckets of T5's decoder: 32 for the past, none for the future",
        .source = "huggingface/transformers, src/transformers/models/t5/modeling_t5.py",
        .note =
            "All keys after the query share bucket 0 with the query itself; the causal "
            "mask hides them. Cross attention has no position bias. Hugging Face draws the bias "
            "with a standard deviation of 1 / sqrt(d_model), --init normal:0,0.0442 for "
            "t5-small."},
    PresetSpec{.name = "wavlm",
               .settings = "--num-buckets 320 --max-distance 800 --heads 12 --init normal:0,0.02",
               .summary = "WavLM's buckets: 320, up to a distance of 800 frames",
               .source = "microsoft/unilm, wavlm/modules.py, MultiheadAttention",
               .note = "The code multiplies the bias by a gate that depends on the query; this is "
                       "the bias before. Large models have 16 heads."},
};

}  // namespace pegen::encodings

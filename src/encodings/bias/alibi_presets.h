#pragma once

#include <array>

#include "encodings/preset.h"

// The presets of ALiBi, for alibi.cpp alone.
namespace pegen::encodings {

inline constexpr std::array alibi_presets{
    PresetSpec{.name = "attention-gym",
               .aliases = "alibi-paper",
               .settings = "--slopes geometric",
               .summary = "ALiBi by the paper's formula for any number of heads, as attention-gym",
               .source = "meta-pytorch/attention-gym, attn_gym/mods/alibi.py",
               .note = "Positive above the diagonal: only a causal mask makes it a penalty. Where "
                       "heads is not a power of 2, the slopes are not those of trained models."},
    PresetSpec{.name = "baichuan",
               .settings = "--heads 40 --form key --mask causal",
               .summary = "Baichuan-13B: the position of the key times the slope, and the mask",
               .source = "baichuan-inc/Baichuan-13B-Chat, modeling_baichuan.py, _gen_alibi_mask",
               .note = "40 heads: 32 slopes, then 8 of those in between. Its 7B model is rotary."},
    PresetSpec{.name = "bloom",
               .settings = "--heads 112 --form key",
               .summary = "BLOOM: the position of the key times the slope",
               .source = "huggingface/transformers, src/transformers/models/bloom/"
                         "modeling_bloom.py, build_alibi_tensor",
               .note =
                   "Its tensor is --table row, for each sequence of a batch; padded keys do "
                   "not count, and its slopes are rounded: the last digit may differ. bloom-560m "
                   "has --heads 16, bloom-7b1 --heads 32."},
    PresetSpec{.name = "falcon",
               .settings = "--heads 32 --form key",
               .summary = "Falcon-RW: BLOOM's bias before its rounding to bfloat16",
               .source = "huggingface/transformers, src/transformers/models/falcon/"
                         "modeling_falcon.py, build_alibi_tensor",
               .note =
                   "Falcon rounds the slopes to bfloat16 and the product again, which is off by "
                   "up to 1.6 at 300 keys; this table is not. Falcon-7B and 40B are rotary."},
    PresetSpec{
        .name = "gpt-neox-alibi",
        .settings = "--form causal",
        .summary = "GPT-NeoX with pos_emb alibi: 0 above the diagonal",
        .source = "EleutherAI/gpt-neox, megatron/model/positional_embeddings.py, AliBi",
        .note = "Its class defaults to mp_rank 1 of 1, which has no slopes: pass mp_rank=0."},
    PresetSpec{.name = "mpt",
               .settings = "--heads 32 --form last-key",
               .summary = "MPT: the key's distance from the last key times the slope",
               .source = "huggingface/transformers, src/transformers/models/mpt/modeling_mpt.py, "
                         "build_mpt_alibi_tensor",
               .note = "Its tensor is --table row. --max-bias is alibi_bias_max. mpt-30b has "
                       "--heads 64. With alibi_full it is x-transformers-alibi."},
    PresetSpec{.name = "press",
               .aliases = "ofirpress",
               .settings = "--form key",
               .summary = "ALiBi's own code: the position of the key times the slope",
               .source = "ofirpress/attention_with_linear_biases, fairseq/models/transformer.py",
               .note = "Its tensor is --table row. All queries have the same row: softmax does not "
                       "see what a whole row is shifted by."},
    PresetSpec{.name = "x-transformers-alibi",
               .aliases = "flash-attn-alibi mpt-full opennmt-alibi",
               .settings = "--form symmetric",
               .summary = "ALiBi in both directions, as x-transformers, FlashAttention and OpenNMT",
               .source = "lucidrains/x-transformers, x_transformers/x_transformers.py, "
                         "AlibiPositionalBias",
               .note = "The bias of a key and a query does not tell which comes first."},
};

}  // namespace pegen::encodings

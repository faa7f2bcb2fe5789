#pragma once

#include <array>

#include "encodings/preset.h"

// The presets of clipped relative positions, for shaw.cpp alone.
namespace pegen::encodings {

inline constexpr std::array shaw_presets{
    PresetSpec{.name = "shaw-fairseq2",
               .settings = "--left 64 --right 8 --init xavier-uniform",
               .summary = "fairseq2's relative positions: 64 to the left, 8 to the right",
               .source = "facebookresearch/fairseq2, src/fairseq2/models/transformer/sdpa/shaw.py, "
                         "ShawRelativePositionSDPA",
               .note = "73 rows; keys only, unless it has use_rel_pos_values."},
    PresetSpec{
        .name = "shaw-hf-bert",
        .aliases = "hf-relative-key",
        .settings = "--max-distance 511 --sign query-key --outside error --init normal:0,0.02",
        .summary = "relative_key of Hugging Face's BERT: query - key, 1023 rows, never clipped",
        .source = "huggingface/transformers, src/transformers/models/bert/modeling_bert.py",
        .note = "Keys only. --max-distance is max_position_embeddings - 1; a longer text fails. "
                "Row 0 is the key farthest ahead, not the one farthest behind."},
    PresetSpec{.name = "shaw-speecht5",
               .settings = "--left 160 --right 159 --sign query-key",
               .summary = "SpeechT5's relative positions: query - key, 320 rows, not symmetric",
               .source = "huggingface/transformers, "
                         "src/transformers/models/speecht5/modeling_speecht5.py",
               .note = "Clipped to -160 ... 159, an even number of rows; keys only."},
    PresetSpec{
        .name = "shaw-t2t",
        .aliases = "shaw-opennmt",
        .settings = "--max-distance 20",
        .summary = "relative positions of Tensor2Tensor and OpenNMT: the paper's, 2 k + 1 rows",
        .source = "tensorflow/tensor2tensor, tensor2tensor/layers/common_attention.py, "
                  "_generate_relative_positions_matrix",
        .note =
            "--max-distance is max_relative_position: 20 in Tensor2Tensor's transformer_relative. "
            "OpenNMT-py has one table for keys and values: --value-table and --key-table are "
            "the same file there."},
    PresetSpec{
        .name = "shaw-t2t-v2",
        .settings = "--max-distance 511 --outside zero",
        .summary = "Tensor2Tensor's relative_v2 without a mask: 2 k - 1 rows, nothing beyond",
        .source = "tensorflow/tensor2tensor, tensor2tensor/layers/common_attention.py, "
                  "dot_product_unmasked_self_attention_relative_v2",
        .note = "--max-distance is max_relative_position - 1. Pairs beyond have no vector at all "
                "instead of the last one's. The masked version keeps distances 0 to k - 1 alone, "
                "in reversed rows. Unless heads_share_relative_embedding, each head has a table of "
                "its own; this is one."},
    PresetSpec{.name = "shaw-wenet",
               .aliases = "wav2vec2-bert",
               .settings = "--left 64 --right 8",
               .summary = "64 to the left, 8 to the right: WeNet, wav2vec2-BERT",
               .source = "wenet-e2e/wenet, wenet/models/transformer/attention.py, "
                         "ShawRelPositionMultiHeadedAttention",
               .note = "73 rows; keys only."},
};

}  // namespace pegen::encodings

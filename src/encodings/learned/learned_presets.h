#pragma once

#include <array>

#include "encodings/preset.h"

// The presets of learned tables, for learned.cpp alone.
namespace pegen::encodings {

inline constexpr std::array learned_presets{
    PresetSpec{.name = "bart",
               .settings = "--len 1026 --d 1024 --init normal:0,0.02 --burn 1",
               .summary = "BART's learned positions, as initialized: 1026 rows for 1024 tokens",
               .source = "huggingface/transformers, src/transformers/models/bart/modeling_bart.py",
               .note =
                   "The first token uses row 2; rows 0 and 1 are never used. OPT is alike, with "
                   "2050 rows."},
    PresetSpec{.name = "bert",
               .settings = "--len 512 --d 768 --init normal:0,0.02 --burn 1",
               .summary = "BERT's learned positions, as initialized",
               .source = "huggingface/transformers, src/transformers/models/bert/modeling_bert.py",
               .note = "google-research/bert truncates the normals at two deviations, with "
                       "TensorFlow's generator."},
    PresetSpec{.name = "clip-text",
               .settings = "--len 77 --d 512 --init normal:0,0.01",
               .summary = "CLIP's text encoder, as initialized",
               .source = "openai/CLIP, clip/model.py, CLIP.initialize_parameters",
               .note = "Half the deviation of BERT's and of Hugging Face's GPT-2."},
    PresetSpec{.name = "clip-vision",
               .settings = "--len 50 --d 768 --init normal:0,1/sqrt(d)",
               .summary = "CLIP ViT-B/32's image encoder, as initialized",
               .source = "openai/CLIP, clip/model.py, VisionTransformer",
               .note = "Row 0 is the class token's, the others are the 7 x 7 patches."},
    PresetSpec{
        .name = "fairseq-learned",
        .settings = "--len 1026 --d 512 --init normal:0,1/sqrt(d) --padding-row 1 --burn 1",
        .summary = "fairseq's LearnedPositionalEmbedding, as initialized, with its padding row",
        .source = "facebookresearch/fairseq, fairseq/modules/positional_embedding.py",
        .note = "Rows are max_positions + padding_idx + 1; the first token uses row padding_idx "
                "+ 1 = 2."},
    PresetSpec{.name = "gpt2",
               .settings = "--len 1024 --d 768 --init normal:0,0.02 --burn 1",
               .summary = "GPT-2's learned positions, as initialized",
               .source = "huggingface/transformers, src/transformers/models/gpt2/modeling_gpt2.py",
               .note = "OpenAI's own code has a deviation of 0.01: --init normal:0,0.01."},
    PresetSpec{.name = "nanogpt",
               .settings = "--len 1024 --d 768 --init normal:0,0.02 --burn 1",
               .summary = "nanoGPT's wpe, as initialized on its own",
               .source = "karpathy/nanoGPT, model.py",
               .note = "--len is block_size, --d is n_embd."},
    PresetSpec{
        .name = "timm-vit",
        .aliases = "deit dinov2 hf-vit",
        .settings = "--len 197 --d 768 --init trunc-normal:0,0.02,-2,2",
        .summary = "timm's ViT, DeiT and DINOv2, as initialized",
        .source = "huggingface/pytorch-image-models, timm/models/vision_transformer.py",
        .note =
            "The ends, -2 and 2, are not in units of the deviation: one value in 2^24 is -2, the "
            "others are far within. Older versions drew normals before: --burn 1."},
    PresetSpec{.name = "vit",
               .settings = "--len 197 --d 768 --init normal:0,0.02",
               .summary = "the Vision Transformer's learned positions, as initialized",
               .source = "pytorch/vision, torchvision/models/vision_transformer.py",
               .note =
                   "Row 0 is the class token's. google-research/vision_transformer has the same "
                   "deviation and JAX's generator; timm's table is timm-vit."},
    PresetSpec{
        .name = "vit-pytorch",
        .settings = "--len 65 --d 1024 --init normal:0,1",
        .summary = "vit-pytorch's ViT, as initialized: standard deviation 1",
        .source = "lucidrains/vit-pytorch, vit_pytorch/vit.py",
        .note = "Row 0 is the class token's; 65 rows are its README's 256 / 32 squared and one."},
};

}  // namespace pegen::encodings

#pragma once

#include <array>

#include "encodings/preset.h"

// The presets of rotary positions on grids, for rope_grid.cpp alone.
namespace pegen::encodings {

inline constexpr std::array rope_grid_presets{
    PresetSpec{.name = "dinov3",
               .aliases = "dino-v3",
               .settings = "--base 100 --coords cells --freq-scale 2*pi",
               .summary = "DINOv3: middles of cells between -1 and 1, times 2 pi",
               .source = "facebookresearch/dinov3, dinov3/layers/rope_position_encoding.py",
               .note = "Layout half, pairing half: channel m turns with m + d / 2. "
                       "normalize_coords is --normalize. Its released weights hold the periods "
                       "rounded to bfloat16, as timm says: cosines are then off by up to 0.008. "
                       "Class and register tokens are not "
                       "rotated and not in its table: --prefix-tokens. min_period and max_period "
                       "are --spectrum geometric --freqs 1/min,1/max as numbers. Its training "
                       "shifts, jitters and rescales the coordinates; this is the table without."},
    PresetSpec{.name = "eva02",
               .aliases = "eva-02",
               .settings = "--ref-extent 16 --layout interleaved",
               .summary = "EVA-02: y before x, coordinates rescaled to the 16 of pretraining",
               .source = "baaivision/EVA, EVA-02/asuka/rope.py",
               .note = "Layout interleaved, pairing interleaved: channel 2m turns with 2m + 1. "
                       "Its dim is half of a head: --d is twice that. --ref-extent is "
                       "pt_seq_len. The class token is not rotated and not in its table."},
    PresetSpec{.name = "flux",
               .settings = "--depth 1 --height 64 --width 64 --d 128 --split 16,56,56 "
                           "--prefix-tokens 512 --layout interleaved",
               .summary = "FLUX.1: 16 channels for an index of images, 56 for y, 56 for x",
               .source = "black-forest-labs/flux, src/flux/math.py",
               .note = "Pairing interleaved: channel 2m turns with 2m + 1. Its own code keeps "
                       "--table matrices, Diffusers cos and sin in this layout. Text comes first "
                       "and stands at 0: 512 tokens of dev, 256 of schnell. --height and --width "
                       "are pixels / 16."},
    PresetSpec{.name = "llama4-vision",
               .settings = "--height 24 --width 24 --d 88 --axes xy --start 1 --suffix-tokens 1 "
                           "--layout interleaved",
               .summary = "Llama 4's vision encoder: x before y, counted from 1, class token last",
               .source = "huggingface/transformers, src/transformers/models/llama4/"
                         "modeling_llama4.py",
               .note = "Complex there, --table freqs-cis; pairing interleaved: channel 2m turns "
                       "with 2m + 1. The class token is the last row, not the first, and is not "
                       "rotated."},
    PresetSpec{.name = "lucidrains-axial",
               .settings = "--d 32 --coords linspace --spectrum linear --freqs 1,128 "
                           "--freq-scale pi --layout interleaved",
               .summary = "rotary-embedding-torch, get_axial_freqs with freqs_for pixel",
               .source = "lucidrains/rotary-embedding-torch, rotary_embedding_torch/"
                         "rotary_embedding_torch.py",
               .note = "Layout interleaved, pairing interleaved. Its dim is that of one axis: "
                       "--d is dim times axes. max_freq is 256: --freqs 1,max_freq/2 as a number."},
    PresetSpec{.name = "pixtral",
               .settings = "--spectrum strided",
               .summary = "Pixtral: y has the even frequencies of one spectrum, x the odd ones",
               .source = "huggingface/transformers, src/transformers/models/pixtral/"
                         "modeling_pixtral.py",
               .note = "Layout half, pairing half, with Hugging Face's weights. Mistral's own "
                       "weights pair 2m with 2m + 1, and its table is complex: --table freqs-cis. "
                       "Strided are the frequencies; the channels of an axis stand together."},
    PresetSpec{.name = "qwen2-vl-vision",
               .settings = "--d 80 --merge 2",
               .summary = "the vision encoder of Qwen2-VL: y before x, patches by blocks of 2 x 2",
               .source = "huggingface/transformers, src/transformers/models/qwen2_vl/"
                         "modeling_qwen2_vl.py",
               .note = "Layout half, pairing half: channel m turns with m + d / 2. The patches of "
                       "each 2 x 2 that it merges follow each other; --merge 1 is the order of the "
                       "image. Qwen3-VL has --d 72. The language model has mrope."},
    PresetSpec{
        .name = "qwen2.5-vl-vision",
        .settings = "--d 80 --merge 2 --window 8",
        .summary = "the vision encoder of Qwen2.5-VL: patches by windows of 8 x 8, in blocks",
        .source = "huggingface/transformers, src/transformers/models/qwen2_5_vl/"
                  "modeling_qwen2_5_vl.py",
        .note = "As qwen2-vl-vision, but the patches of each window of 112 pixels follow each "
                "other; those at the right and bottom edge may be smaller. All layers have "
                "this order, also those that attend to the whole image."},
    PresetSpec{.name = "rope-vit",
               .aliases = "rope-axial",
               .settings = "--base 100 --axes xy --layout interleaved",
               .summary = "RoPE-ViT, axial: x before y, base 100",
               .source = "naver-ai/rope-vit, deit/models_v2_rope.py",
               .note = "Complex there, --table freqs-cis; pairing interleaved: channel 2m turns "
                       "with 2m + 1. Its mixed variant learns its frequencies and is none of "
                       "this. The class token is not rotated and not in its table."},
    PresetSpec{.name = "sam2-rope",
               .settings = "--height 64 --width 64 --d 256 --axes xy --layout interleaved",
               .summary = "SAM 2's memory attention: x before y",
               .source = "facebookresearch/sam2, sam2/modeling/position_encoding.py",
               .note = "Complex there, --table freqs-cis; pairing interleaved: channel 2m turns "
                       "with 2m + 1. For memories of several frames the rows are repeated. sam2 "
                       "is the encoding of its images, a sum."},
    PresetSpec{.name = "timm-rope",
               .settings = "--layout interleaved",
               .summary = "timm's RotaryEmbeddingCat as its models use it: in_pixels=False",
               .source = "huggingface/pytorch-image-models, timm/layers/pos_embed_sincos.py",
               .note = "Sines first: its table is --table sin-cos, twice as wide as a head. Layout "
                       "interleaved, pairing interleaved. ref_feat_shape is --ref-extent, "
                       "grid_offset --start, grid_indexing xy --axes xy."},
    PresetSpec{
        .name = "timm-rope-pixels",
        .settings = "--coords linspace --spectrum geometric --freqs 1,112 --freq-scale pi "
                    "--layout interleaved",
        .summary = "timm's RotaryEmbeddingCat with its defaults: in_pixels=True, max_res 224",
        .source = "huggingface/pytorch-image-models, timm/layers/pos_embed_sincos.py",
        .note = "Sines first: its table is --table sin-cos. Layout interleaved, pairing "
                "interleaved. --freqs is 1,max_res/2 as numbers; linear_bands is "
                "--spectrum linear."},
    PresetSpec{
        .name = "v-jepa2",
        .aliases = "vjepa2",
        .settings = "--depth 8 --height 16 --width 16 --d 60 --layout axis-half",
        .summary = "V-JEPA 2: frames, y and x have 20 of a head's 64 channels each",
        .source = "facebookresearch/vjepa2, src/models/utils/modules.py",
        .note = "Layout half within each axis, but pairing interleaved: channels 2m and 2m + 1 get "
                "the angles of different frequencies, so this is not a rotation and lengths "
                "change. Its weights need it so. --d is 3 times the even number not above a third "
                "of a head; the channels beyond are not rotated and not in the table."},
};

}  // namespace pegen::encodings

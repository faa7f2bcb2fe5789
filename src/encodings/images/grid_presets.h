#pragma once

#include <array>

#include "encodings/preset.h"

// The presets of sinusoids on grids, for grid.cpp alone.
namespace pegen::encodings {

inline constexpr std::array grid_presets{
    PresetSpec{
        .name = "aimv2",
        .aliases = "hf-aimv2",
        .settings = "--order afk --axes xy",
        .summary = "AIMv2 with sines and cosines, in Hugging Face's code",
        .source = "huggingface/transformers, src/transformers/models/aimv2/modeling_aimv2.py",
        .note = "The table of mae, in the dtype of the model. A d that 4 does not divide is "
                "refused here; "
                "the code returns a narrower table."},
    PresetSpec{.name = "big-vision",
               .settings = "--order afk --axes xy --denom-shift 2",
               .summary = "Big Vision's ViT: posemb_sincos_2d",
               .source = "google-research/big_vision, big_vision/models/vit.py",
               .note =
                   "It says it follows MoCo v3, but has d / 2 - 2 in the exponent and x first on "
                   "every grid: it is simple-vit."},
    PresetSpec{.name = "cosmos",
               .settings = "--depth 8 --order afk --axes tyx --split rest,1/3,1/3",
               .summary = "Cosmos' videos: time, y, x, with what does not divide left to time",
               .source = "NVIDIA's Cosmos, position embeddings, SinCosPosEmbAxis",
               .note = "Extrapolation ratios divide positions: --step 1/RATIO, of t, y and x. Its "
                       "RoPE is another table."},
    PresetSpec{.name = "diffusers-2d",
               .settings = "--height 16 --width 16 --order afk --axes xy",
               .summary = "Diffusers' get_2d_sincos_pos_embed for a grid of its base size",
               .source = "huggingface/diffusers, src/diffusers/models/embeddings.py",
               .note =
                   "Positions are scaled to base_size, 16 unless a model says otherwise: for other "
                   "grids give --step base_size/height/interpolation_scale and the same of the "
                   "width as numbers, so 32 x 32 is --step 0.5. extra_tokens are --prefix-rows. "
                   "float64 in its code: --dtype float64."},
    PresetSpec{.name = "diffusers-3d",
               .aliases = "slowfast internvideo",
               .settings = "--depth 8 --order afk --axes txy --split 1/4,3/8,3/8",
               .summary = "Diffusers' get_3d_sincos_pos_embed: CogVideoX",
               .source = "huggingface/diffusers, src/diffusers/models/embeddings.py",
               .note = "The table is (frames, height * width, d) there. Its scales are --step "
                       "1/temporal,1/spatial,1/spatial as numbers, its spatial_size is width and "
                       "height. float64 in its code: --dtype float64."},
    PresetSpec{
        .name = "fairseq2-2d",
        .settings = "--order afk --axes yx --odd round-up --view grid",
        .summary = "fairseq2's Sinusoidal2dPositionEncoder",
        .source = "facebookresearch/fairseq2, src/fairseq2/nn/position_encoder.py",
        .note =
            "fairseq2's encoder of one axis has d - 2 in the exponent, this one has not. An odd d "
            "is an error there."},
    PresetSpec{
        .name = "fairseq2-3d",
        .settings =
            "--depth 8 --order afk --axes tyx --split 1/2,1/4,1/4 --odd round-up --view grid",
        .summary = "fairseq2's Sinusoidal3dPositionEncoder: half of the channels for the depth",
        .source = "facebookresearch/fairseq2, src/fairseq2/nn/position_encoder.py",
        .note = "uniform_power is --split equal. An odd d is an error there."},
    PresetSpec{
        .name = "jepa",
        .aliases = "hf-2d vjepa rosettafold-2d",
        .settings = "--order afk --axes yx",
        .summary = "V-JEPA's get_2d_sincos_pos_embed: y before x",
        .source = "facebookresearch/jepa, src/models/utils/pos_embs.py",
        .note = "A function of the same name as mae's and I-JEPA's, but y comes first. float64 in "
                "its code: --dtype float64. cls_token is --prefix-rows 1."},
    PresetSpec{
        .name = "jepa-3d",
        .settings = "--depth 8 --order afk --axes tyx --split 1/2,1/4,1/4",
        .summary = "V-JEPA's get_3d_sincos_pos_embed: half of the channels for the frames",
        .source = "facebookresearch/jepa, src/models/utils/pos_embs.py",
        .note =
            "This is the function's default. The models V-JEPA trains set uniform_power: --split "
            "equal --odd round-up. float64 in its code: --dtype float64."},
    PresetSpec{.name = "loftr",
               .aliases = "kornia",
               .settings = "--d 256 --order kaf --axes xy --start 1 --view channels-first",
               .summary = "LoFTR: sin x, cos x, sin y, cos y of each frequency, counted from 1",
               .source = "zju3dv/LoFTR, src/loftr/utils/position_encoding.py",
               .note =
                   "This is temp_bug_fix=True. All weights but indoor_ds_new need False, a slip of "
                   "precedence by which the base is e^(d/2): for d 256, --base "
                   "3.887708405994595e55."},
    PresetSpec{.name = "mae",
               .aliases = "dit ijepa climax croco satmae monai scenic cotracker",
               .settings = "--order afk --axes xy",
               .summary = "Masked Autoencoders, I-JEPA, DiT: x before y, sines before cosines",
               .source = "facebookresearch/mae, util/pos_embed.py",
               .note = "The names emb_h and emb_w are swapped in its code: x comes first. float64 "
                       "there: --dtype float64. cls_token is --prefix-rows 1."},
    PresetSpec{.name = "mmgen",
               .aliases = "mmgeneration",
               .settings = "--order afk --axes xy --start 1 --denom-shift 2 --view channels-first",
               .summary = "MMGeneration's grid of SinusoidalPositionalEmbedding, from 1",
               .source = "open-mmlab/mmgeneration, "
                         "mmgen/models/architectures/positional_encoding.py, make_grid2d",
               .note =
                   "--d counts the channels of both axes: twice embedding_dim. Its center_shift "
                   "changes nothing, as positions are counted anew; div_half_dim is "
                   "--denom-shift 0."},
    PresetSpec{.name = "moco-v3",
               .aliases = "mmpretrain",
               .settings = "--order afk --axes xy --tokens column --prefix-rows 1",
               .summary = "MoCo v3: x before y, but tokens go down columns",
               .source = "facebookresearch/moco-v3, vits.py",
               .note =
                   "On a square grid that is jepa with a class token; on others tokens and patches "
                   "do not match."},
    PresetSpec{.name = "monai-3d",
               .settings = "--d 768 --depth 8 --order afk --axes ytx --odd zero-pad",
               .summary = "MONAI's volumes: the channels of the second axis come first",
               .source = "Project-MONAI/MONAI, monai/networks/blocks/pos_embed_utils.py, "
                         "build_sincos_position_embedding",
               .note = "Its h, w, d are --depth, --height, --width: the last runs fastest, and the "
                       "channels are those of w, h, d. In two dimensions it is moco-v3."},
    PresetSpec{.name = "note3",
               .settings = "",
               .summary = "what tutorials show as MAE's: y before x, sin and cos interleaved",
               .source = "tutorials that take the table of one axis for each half of the channels",
               .note = "MAE's own table puts x first, and sines before cosines: that is mae."},
    PresetSpec{.name = "prithvi",
               .aliases = "terratorch",
               .settings = "--depth 3 --order afk --axes xyt --split 1/4,3/8,3/8",
               .summary = "Prithvi's frames of satellite images: x, y, then time",
               .source = "NASA-IMPACT/hls-foundation-os and IBM/terratorch, "
                         "get_3d_sincos_pos_embed",
               .note = "A class token is --prefix-rows 1."},
    PresetSpec{
        .name = "rt-detr",
        .settings = "--order afk --axes xy --tokens column",
        .summary = "RT-DETR's encoder; also Ultralytics",
        .source = "lyuwenyu/RT-DETR, rtdetr_pytorch/src/zoo/rtdetr/hybrid_encoder.py",
        .note = "Tokens go down columns, those of the image along rows: on other than square "
                "grids they do not match. Hugging Face's port has since been mended: it is jepa."},
    PresetSpec{.name = "scenic-3d",
               .settings = "--d 768 --depth 8 --order afk --axes txy --odd zero-pad",
               .summary = "Scenic's fixed positions of videos: time, x, y",
               .source = "google-research/scenic, scenic/model_lib/layers/attention_layers.py, "
                         "get_fixed_sincos_position_embedding",
               .note = "In two dimensions it is big-vision without --denom-shift 2, as mae."},
    PresetSpec{.name = "simple-vit",
               .settings = "--order afk --axes xy --denom-shift 2",
               .summary = "vit-pytorch's SimpleViT: like mae, but the lowest frequency is 1 / base",
               .source = "lucidrains/vit-pytorch, vit_pytorch/simple_vit.py",
               .note = "d 4 gives NaN there; here the exponent of a single frequency is 0."},
    PresetSpec{
        .name = "simple-vit-3d",
        .settings = "--depth 8 --order afk --axes xyt --denom-shift 2 --odd zero-pad",
        .summary = "vit-pytorch's SimpleViT for video",
        .source = "lucidrains/vit-pytorch, vit_pytorch/simple_vit_3d.py",
        .note = "What d leaves over beyond a multiple of 6 is zeros at the end. A single frequency "
                "gives NaN there; here its exponent is 0."},
    PresetSpec{.name = "t2t-nd",
               .aliases = "tensor2tensor-nd",
               .settings = "--order afk --denom-shift 2 --odd zero-pad --view grid",
               .summary = "Tensor2Tensor's add_timing_signal_nd, with two axes or --depth",
               .source = "tensorflow/tensor2tensor, tensor2tensor/layers/common_attention.py",
               .note =
                   "--freq-scale is min_timescale, which multiplies; --base is max_timescale / "
                   "min_timescale. A single frequency gives NaN there; here its exponent is 0."},
    PresetSpec{
        .name = "tatp22",
        .settings = "--odd round-up --view grid",
        .summary = "PositionalEncoding2D and, with --depth, 3D",
        .source = "tatp22/multidim-positional-encoding, positional_encodings/torch_encodings.py",
        .note = "Its x is the first axis of the tensor. Old releases had sines before cosines. "
                "The Permute classes are --view channels-first."},
    PresetSpec{.name = "timm",
               .aliases = "timm-sincos2d",
               .settings = "--order fak --axes yx",
               .summary = "timm's build_sincos2d_pos_embed: all sines before all cosines",
               .source = "huggingface/pytorch-image-models, timm/layers/pos_embed_sincos.py",
               .note =
                   "interleave_sin_cos interleaves no channels, it is --order afk; reverse_coord "
                   "is --axes xy --tokens column."},
    PresetSpec{
        .name = "wzlxjtu",
        .aliases = "demucs-2d",
        .settings = "--order akf --axes xy --view channels-first",
        .summary = "positionalencoding2d, copied from an early gist: x before y, channels first",
        .source = "wzlxjtu/PositionalEncoding2D, positionalembedding2d.py",
        .note = "DETR's on an image without padding has y first and counts from 1. Demucs has "
                "max_period, --base."},
};

}  // namespace pegen::encodings

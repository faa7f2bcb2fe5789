#pragma once

#include <array>

#include "encodings/preset.h"

// The presets of Fourier features, for fourier.cpp alone.
namespace pegen::encodings {

inline constexpr std::array fourier_presets{
    PresetSpec{.name = "barf",
               .aliases = "bundle-adjusting-nerf",
               .settings = "--freqs pow2:10 --freq-scale pi --order afk --raw before",
               .summary = "BARF's points, all frequencies on",
               .source = "chenhsuanlin/bundle-adjusting-NeRF, model/nerf.py, positional_encoding",
               .note = "With pi, and the frequency runs fastest. During training BARF fades "
                       "the higher frequencies in: --window."},
    PresetSpec{.name = "dino-points",
               .aliases = "petr lw-detr",
               .settings = "--coords linspace:0:1 --freqs geometric:0.0001:64 --freq-scale 2*pi",
               .summary = "reference points and boxes of DAB-DETR's and DINO's decoders",
               .source = "IDEA-Research/DINO, models/dino/utils.py, gen_sineembed_for_position",
               .note =
                   "Its points are a file of two columns, y and x, or four, y, x, w, h, from 0 to "
                   "1. The code takes x first and gives y first."},
    PresetSpec{.name = "gencast",
               .settings = "--axes x --width 100 --freqs linear:1:32:32 --freq-scale 2*pi/16 "
                           "--order fak --first cos",
               .summary = "GenCast's fourier_features of noise levels: 32 multiples of 1 / 16",
               .source = "google-deepmind/graphcast, graphcast/model_utils.py, fourier_features",
               .note = "Cosines come first. Points are logarithms of noise levels: --points. "
                       "base_period is the 16, num_frequencies the 32."},
    PresetSpec{.name = "giraffe",
               .settings = "--freqs pow2:10 --freq-scale pi --order kfa",
               .summary = "GIRAFFE's points, without the coordinates",
               .source = "autonomousvision/giraffe, im2scene/giraffe/models/decoder.py, "
                         "transform_points",
               .note = "The code halves its points first: downscale_p_by. View directions have "
                       "--freqs pow2:4."},
    PresetSpec{
        .name = "gligen",
        .settings = "--coords linspace:0:1 --freqs geometric:100:8 --order kfa",
        .summary = "GLIGEN's boxes; also in Diffusers",
        .source = "gligen/GLIGEN, ldm/modules/diffusionmodules/util.py, FourierEmbedder",
        .note =
            "Frequencies grow from 1 to less than 100, there is no pi. Its points are "
            "boxes: a file of four columns, x0, y0, x1, y1 from 0 to 1; or keypoints, x and y."},
    PresetSpec{
        .name = "lucidrains-perceiver",
        .settings = "--freqs linear:1:5:6 --freq-scale pi --order afk --raw after-each",
        .summary = "perceiver-pytorch with its README's bands: 6, up to 10 / 2",
        .source = "lucidrains/perceiver-pytorch, perceiver_pytorch/perceiver_pytorch.py, "
                  "fourier_encode",
        .note = "The coordinate follows the channels of its axis; those of perceiver stand "
                "before all. --freqs is linear:1:max_freq/2:num_freq_bands. Before 0.7.4 the bands "
                "were geometric, from 1 to max_freq/2: --freqs geometric:6.898648307306074:6."},
    PresetSpec{
        .name = "mip-nerf",
        .aliases = "mipnerf multinerf shap-e",
        .settings = "--freqs pow2:0:16 --order fka --raw before",
        .summary = "mip-NeRF's pos_enc: all sines before all cosines",
        .source = "google/mipnerf, internal/mip.py, pos_enc",
        .note =
            "These are the function's own channels. View directions have --freqs pow2:0:4. Points "
            "along a ray have no raw channels, and every value is damped by the size of "
            "the cone: --raw none --variances."},
    PresetSpec{
        .name = "nerf",
        .aliases = "nerf-pl nerfies torch-ngp",
        .settings = "--freqs pow2:10 --order kfa --raw before",
        .summary = "NeRF's points; view directions have --freqs pow2:4",
        .source = "bmild/nerf, run_nerf_helpers.py, Embedder",
        .note =
            "The paper's formula has pi and no coordinates, --freq-scale pi --raw none; this, the "
            "code, has coordinates and no pi. log_sampling off is --freqs linear:1:512:10."},
    PresetSpec{
        .name = "perceiver",
        .aliases = "hf-perceiver perceiver-io",
        .settings = "--height 224 --width 224 --freqs linear:1:112:64 --freq-scale pi --order "
                    "fak --raw before",
        .summary = "Perceiver and Perceiver IO on ImageNet's pixels",
        .source = "huggingface/transformers, "
                  "src/transformers/models/perceiver/modeling_perceiver.py",
        .note = "--freqs is linear:1:max_resolution/2:num_bands; a max_resolution of two different "
                "numbers gives each axis frequencies of its own, as --freqs "
                "linear:1:184:64/linear:1:248:64 of optical flow."},
    PresetSpec{
        .name = "pips",
        .aliases = "pips-3d",
        .settings = "--freqs linear:0:968.75:32 --raw after",
        .summary = "PIPs' get_3d_embedding for C = 64: equally spaced frequencies, starting at 0",
        .source = "aharley/pips, utils/misc.py",
        .note = "--freqs is linear:0:1000 (C - 2) / C:C / 2 as numbers. Its points are a file of "
                "three columns, x, y and z. The frequencies are multiplied where a division was "
                "meant."},
    PresetSpec{.name = "pixel-nerf",
               .settings = "--freqs pow2:6 --freq-scale pi --order kfa --raw before",
               .summary = "pixelNeRF's PositionalEncoding with its defaults",
               .source = "sxyu/pixel-nerf, src/model/code.py, PositionalEncoding",
               .note = "nerf with pi, and 6 frequencies; its configurations have freq_factor 1.5: "
                       "--freq-scale 1.5."},
    PresetSpec{.name = "pytorch3d",
               .aliases = "pytorch3d-harmonic",
               .settings = "--freqs pow2:6 --order fak --raw after",
               .summary = "PyTorch3D's HarmonicEmbedding: the coordinates come last",
               .source = "facebookresearch/pytorch3d, "
                         "pytorch3d/renderer/implicit/harmonic_embedding.py",
               .note =
                   "--freq-scale is omega_0. logspace off is --freqs linear:1:32:6. diag_cov is "
                   "--variances."},
    PresetSpec{
        .name = "siren",
        .settings = "--freqs pow2:10 --freq-scale pi --order kaf --raw before",
        .summary = "SIREN's PosEncodingNeRF: with pi, sine and cosine of a coordinate together",
        .source = "vsitzmann/siren, modules.py, PosEncodingNeRF",
        .note = "Ten frequencies are those of three coordinates; others depend on the number "
                "of samples."},
    PresetSpec{.name = "timm-fourier",
               .settings = "--freqs linear:1:112:64 --freq-scale pi --order fka --raw before",
               .summary = "timm's FourierEmbed",
               .source = "huggingface/pytorch-image-models, timm/layers/pos_embed_sincos.py, "
                         "FourierEmbed",
               .note = "The bands of perceiver, but the axis runs fastest. max_res stays 224 "
                       "whatever the size of the image: --freqs linear:1:max_res/2:num_bands."},
    PresetSpec{.name = "vggt",
               .settings = "--axes xy --freqs geometric:0.01:64 --order afk",
               .summary = "VGGT's position_grid_to_embed: x before y, base 100",
               .source = "facebookresearch/vggt, vggt/heads/utils.py, position_grid_to_embed",
               .note =
                   "K is a quarter of the channels. Its points reach as far as the aspect ratio "
                   "says, normalized_view_plane_uv: give them with --points, x first."},
};

}  // namespace pegen::encodings

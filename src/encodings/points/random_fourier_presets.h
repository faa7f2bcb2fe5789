#pragma once

#include <array>

#include "encodings/encoding.h"

// The presets of random Fourier features. Only random_fourier.cpp and its recognition use them.
namespace pegen::encodings {

inline constexpr std::array random_fourier_presets{
    PresetSpec{
        .name = "alphafold3-fourier",
        .aliases = "boltz",
        .settings =
            "--axes x --width 100 --d 256 --skip 512 --phase-init normal:0,1 --function cos",
        .summary = "AlphaFold 3's noise levels, as Boltz draws them",
        .source = "jwohlwend/boltz, src/boltz/model/modules/encodersv2.py, FourierEmbedding",
        .note =
            "--skip is twice --d: its nn.Linear(1, d) draws a weight and a bias, which are then "
            "drawn again. The published w and b are --weights and --phases."},
    PresetSpec{.name = "edm-fourier",
               .aliases = "physicsnemo",
               .settings = "--axes x --width 100 --d 256 --weight-scale 16 --first cos",
               .summary = "EDM's FourierEmbedding of noise levels",
               .source = "NVlabs/edm, training/networks.py, FourierEmbedding",
               .note = "Its points are log(sigma) / 4: --points. The code rounds 2 pi W to "
                       "float32."},
    PresetSpec{
        .name = "giraffe-gauss",
        .settings = "--depth 8 --height 8 --width 8 --coords linspace:-1:1 --d 60 --freq-scale "
                    "pi --rng numpy-legacy --seed 42 --weight-order ka --weight-scale 4",
        .summary = "GIRAFFE's points with positional_encoding: gauss",
        .source = "autonomousvision/giraffe, im2scene/giraffe/models/decoder.py",
        .note = "NumPy's draws after np.random.seed(42), and half of the angle of the others: "
                "pi. Its points are a file of three columns; view directions use 36 draws that "
                "come later."},
    PresetSpec{.name = "k-diffusion",
               .aliases = "stable-audio",
               .settings = "--axes x --width 100 --d 256 --first cos --weight-order ka",
               .summary = "k-diffusion's FourierFeatures, also in Stable Audio: deviation 1",
               .source = "crowsonkb/k-diffusion, k_diffusion/layers.py, FourierFeatures",
               .note = "Its points are log(sigma) / 4: --points."},
    PresetSpec{
        .name = "sam",
        .aliases = "segment-anything",
        .settings = "--height 64 --width 64 --d 256 --coords center:1 --axes xy",
        .summary = "Segment Anything's image positions and prompts",
        .source = "facebookresearch/segment-anything, "
                  "segment_anything/modeling/prompt_encoder.py, PositionEmbeddingRandom",
        .note =
            "Rows are pixels, row by row; the code gives (C, H, W). A checkpoint's matrix is "
            "--weights FILE:prompt_encoder.pe_layer.positional_encoding_gaussian_matrix; prompts "
            "are --points with columns x and y from -1 to 1."},
    PresetSpec{.name = "score-sde-fourier",
               .aliases = "gaussian-fourier-projection",
               .settings = "--axes x --width 100 --d 256 --weight-scale 16",
               .summary = "NCSN++'s GaussianFourierProjection of noise levels",
               .source = "yang-song/score_sde_pytorch, models/layerspp.py, "
                         "GaussianFourierProjection",
               .note = "Its points are log(sigma): --points. The scale is 16 in its models and 30 "
                       "in the tutorial that most others copied."},
    PresetSpec{.name = "stylegan3",
               .settings = "--height 36 --width 36 --axes xy --coords center:1.125 --d 512 "
                           "--function sin --weight-order ka --in-disc --weight-scale 2 "
                           "--phase-init uniform:-0.5,0.5",
               .summary = "StyleGAN3's input: sines of frequencies in a disc, with phases",
               .source = "NVlabs/stylegan3, training/networks_stylegan3.py, SynthesisInput",
               .note = "Of a grid of 36 with margins, at 16 samples a unit: --coords is 36 / 16 / "
                       "2. Before training, without w's transform; a checkpoint's freqs and phases "
                       "are --weights and --phases."},
};

}  // namespace pegen::encodings

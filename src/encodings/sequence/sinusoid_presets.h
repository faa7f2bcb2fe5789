#pragma once

#include <array>

#include "encodings/preset.h"

// The presets of the sinusoidal encoding, for sinusoid.cpp alone.
namespace pegen::encodings {

inline constexpr std::array sinusoid_presets{
    PresetSpec{.name = "aurora",
               .settings = "--layout halves --denom-shift 2 --base 504*60 --freq-scale 2*pi*60",
               .summary = "Aurora's lead times: wavelengths from a minute to three weeks, in hours",
               .source = "microsoft/aurora, aurora/model/fourier.py, FourierExpansion",
               .note = "Wavelengths from LO to HI are --base HI/LO --freq-scale 2*pi/LO: levels "
                       "0.01 and 1e5, absolute times 1 and 24 * 365.25. Rows are hours: "
                       "--positions."},
    PresetSpec{.name = "coqui-tts",
               .settings = "--d 192 --len 5000 --base 1/10000",
               .summary = "Coqui TTS' positional encoding: frequencies grow from 1 to 10000",
               .source = "coqui-ai/TTS, TTS/tts/layers/generic/pos_encoding.py, PositionalEncoding",
               .note = "The code multiplies in float32, which loses the fraction of large angles: "
                       "its own table, --arith float32-pow, is up to 2 away. It stores "
                       "--view channels-first."},
    PresetSpec{
        .name = "ctranslate2",
        .settings = "--layout halves --denom-shift 2 --start 1",
        .summary = "CTranslate2's built-in position encoder",
        .source = "OpenNMT/CTranslate2, src/layers/common.cc",
        .note = "Counts from 1. Models converted from Marian bring their own table instead: that "
                "is hf-marian. An odd d gives d - 1 channels there and is refused here."},
    PresetSpec{.name = "ddpm",
               .aliases = "lucidrains-ddpm diffusion-policy imagen-pytorch openvla-oft score-sde",
               .settings = "--layout halves --denom-shift 2 --odd zero-pad",
               .summary = "time steps of Denoising Diffusion Probabilistic Models",
               .source = "hojonathanho/diffusion, diffusion_tf/nn.py, get_timestep_embedding",
               .note = "Rows are time steps; give them with --positions, fractions too."},
    PresetSpec{
        .name = "diffusers-timestep",
        .settings = "--layout halves --denom-shift 2 --odd zero-pad",
        .summary = "Diffusers' get_timestep_embedding with its defaults",
        .source = "huggingface/diffusers, src/diffusers/models/embeddings.py",
        .note = "--denom-shift is 2 * downscale_freq_shift, --freq-scale is scale, --first cos is "
                "flip_sin_to_cos. Stable Diffusion and Flux flip and do not shift: that is "
                "guided-diffusion."},
    PresetSpec{.name = "diffwave",
               .aliases = "csdi",
               .settings = "--layout halves --denom-shift 2 --d 128 --len 50 --base 1/10000",
               .summary = "DiffWave's steps, also CSDI's: frequencies grow from 1 to 10000",
               .source = "lmnt-com/diffwave, src/diffwave/model.py, DiffusionEmbedding",
               .note = "The code multiplies in float32, which loses the fraction of large angles: "
                       "its own table, --arith float32-pow, is up to 0.02 away."},
    PresetSpec{
        .name = "fairseq",
        .aliases = "hf-m2m100 hf-speech2text esm",
        .settings = "--layout halves --denom-shift 2 --odd zero-pad --zero-row 1",
        .summary = "fairseq's SinusoidalPositionalEmbedding, with its padding row",
        .source = "facebookresearch/fairseq, fairseq/modules/sinusoidal_positional_embedding.py",
        .note =
            "This is the table that the module makes for padding_idx 1, self.weights. The first "
            "token uses row padding_idx + 1 = 2: what tokens get is 'pe-gen fairseq --start 2'."},
    PresetSpec{.name = "fairseq2",
               .settings = "--layout halves --denom-shift 2 --prefix-rows 1",
               .summary = "fairseq2's SinusoidalPositionEncoder, after a row of zeros for padding",
               .source = "facebookresearch/fairseq2, src/fairseq2/nn/position_encoder.py",
               .note = "Without the row in front in early versions, --prefix-rows 0. With "
                       "_legacy_pad_idx 1 it starts as fairseq does: --start 2."},
    PresetSpec{.name = "flux-timestep",
               .settings =
                   "--layout halves --first cos --odd zero-pad --d 256 --len 101 --step 0.01 "
                   "--freq-scale 1000",
               .summary = "Flux's timestep_embedding of times from 0 to 1",
               .source = "black-forest-labs/flux, src/flux/modules/layers.py, timestep_embedding",
               .note = "guided-diffusion, with times that are multiplied by 1000 first."},
    PresetSpec{.name = "grad-tts",
               .aliases = "matcha-tts f5-tts",
               .settings =
                   "--layout halves --denom-shift 2 --d 64 --len 101 --step 0.01 --freq-scale "
                   "1000",
               .summary = "Grad-TTS' SinusoidalPosEmb of times from 0 to 1, also Matcha-TTS'",
               .source = "huawei-noah/Speech-Backbones, Grad-TTS/model/diffusion.py, "
                         "SinusoidalPosEmb",
               .note = "ddpm, with times that are multiplied by pe_scale, 1000, first. Matcha-TTS "
                       "has --d 160."},
    PresetSpec{.name = "guided-diffusion",
               .aliases = "dit-timestep glide latent-diffusion ggml keras-cv tinygrad wan u-vit "
                          "pdearena struct2seq",
               .settings = "--layout halves --first cos --odd zero-pad",
               .summary = "time steps of guided-diffusion, GLIDE, latent diffusion, DiT",
               .source = "openai/guided-diffusion, guided_diffusion/nn.py, timestep_embedding",
               .note = "Cosines come first. Rows are time steps; give them with --positions."},
    PresetSpec{
        .name = "hf-marian",
        .aliases = "hf-ctrl hf-pegasus hf-roformer",
        .settings = "--layout halves --odd exact",
        .summary = "Hugging Face's Marian, Pegasus, RoFormer, Informer, Time Series Transformer",
        .source = "huggingface/transformers, src/transformers/models/marian/modeling_marian.py",
        .note = "Marian itself has d - 2 in the exponent: that is marian."},
    PresetSpec{
        .name = "hf-patchtst",
        .aliases = "patchtst",
        .settings = "--standardize 10",
        .summary = "Hugging Face's PatchTST: standardized over the whole table",
        .source = "huggingface/transformers, src/transformers/models/patchtst/modeling_patchtst.py",
        .note = "Every value depends on --len."},
    PresetSpec{
        .name = "jadore",
        .aliases =
            "hf-distilbert hf-videomae hf-xlm kyubyong fastspeech2 chemformer imagebind mmocr",
        .settings = "--odd exact",
        .summary = "NumPy tables: attention-is-all-you-need-pytorch, DistilBERT, XLM, VideoMAE",
        .source = "jadore801120/attention-is-all-you-need-pytorch, transformer/Models.py",
        .note =
            "An odd d is legal: the last cosine is left out. Early versions were samlynnevans with "
            "--zero-row 0."},
    PresetSpec{
        .name = "jadore-2017",
        .aliases = "position-encoding-init tensorflowtts deepvoice3 transformer-tts",
        .settings = "--odd exact --zero-row 0",
        .summary = "position_encoding_init of 2017, copied into many projects: row 0 is zero",
        .source = "jadore801120/attention-is-all-you-need-pytorch, transformer/Models.py, "
                  "before 2018",
        .note = "Row 0 is for padding, the first token has row 1. Copies with 2 * i instead of "
                "2 * (j // 2) are samlynnevans --zero-row 0."},
    PresetSpec{
        .name = "keras",
        .aliases = "keras-hub transformers.jl",
        .settings = "--odd exact",
        .summary = "KerasHub's SinePositionEncoding",
        .source = "keras-team/keras-hub, keras_hub/src/layers/modeling/sine_position_encoding.py",
        .note = "--base is max_wavelength, --start is start_index."},
    PresetSpec{.name = "keras-ddim",
               .settings = "--layout halves --denom-shift 2 --d 32 --len 101 --step 0.01 --base "
                           "1/1000 --freq-scale 2*pi",
               .summary = "the DDIM example of keras.io: 16 frequencies from 1 to 1000, and 2 pi",
               .source = "keras-team/keras-io, examples/generative/ddim.py, sinusoidal_embedding",
               .note = "Its positions are variances of the noise, from 0 to 1: --positions. The "
                       "example is often copied with other numbers: --base is 1 / "
                       "embedding_max_frequency."},
    PresetSpec{.name = "marian",
               .aliases = "marian-nmt",
               .settings = "--layout halves --denom-shift 2",
               .summary = "Marian NMT",
               .source = "marian-nmt/marian-dev, SinusoidalPositionEmbeddings",
               .note = "Hugging Face's port has d in the exponent: that is hf-marian."},
    PresetSpec{
        .name = "mlx",
        .settings = "--layout halves --denom-shift 2 --out-scale sqrt(2/d)",
        .summary = "MLX's SinusoidalPositionalEncoding: rows of norm 1",
        .source = "ml-explore/mlx, python/mlx/nn/layers/positional_encoding.py",
        .note =
            "--freq-scale is max_freq, or with full_turns 2 pi times that; --base is max_freq / "
            "min_freq, --first cos is cos_first. An odd d gives d - 1 channels there and is "
            "refused "
            "here."},
    PresetSpec{.name = "mmpose",
               .settings = "--layout halves --first cos --base 100000",
               .summary = "MMPose's SinePositionalEncoding of one dimension",
               .source = "open-mmlab/mmpose, mmpose/models/utils/transformer.py, "
                         "SinePositionalEncoding",
               .note = "Cosines come first, and the temperature is 1e5. In two dimensions the code "
                       "stacks the tables of y and of x along a new last axis."},
    PresetSpec{
        .name = "musicgen",
        .aliases = "audiocraft demucs-1d hf-musicgen edm-ddpmpp octo",
        .settings = "--layout halves --first cos --denom-shift 2 --odd zero-pad",
        .summary = "MusicGen",
        .source = "facebookresearch/audiocraft, audiocraft/modules/transformer.py; "
                  "huggingface/transformers, src/transformers/models/musicgen/modeling_musicgen.py",
        .note = "Like guided-diffusion, but with d - 2 in the exponent. Of an odd d the port of "
                "Hugging Face has zeros in the last channel; audiocraft refuses it."},
    PresetSpec{.name = "nemo",
               .settings = "--odd exact --out-scale 1/sqrt(d)",
               .summary = "NeMo's FixedPositionalEncoding, divided by sqrt(d)",
               .source = "NVIDIA/NeMo, transformer_modules.py, FixedPositionalEncoding",
               .note = "Cohere's speech recognition has it from there."},
    PresetSpec{
        .name = "note1",
        .settings = "--pairing per-channel --denom-shift 1 --odd exact",
        .summary = "a misprint in many tutorials: d - 1, and a separate frequency for each channel",
        .source = "tutorials that print 10000^(j / (d_model - 1)) for channel j",
        .note = "A sine and its cosine turn at different speeds, so a shift of the position is "
                "not a rotation and a dot product does not depend on the offset alone."},
    PresetSpec{.name = "opennmt",
               .aliases = "opennmt-tf funasr",
               .settings = "--layout halves --denom-shift 2 --start 1",
               .summary = "OpenNMT-tf's SinusoidalPositionEncoder",
               .source = "OpenNMT/OpenNMT-tf, opennmt/layers/position.py",
               .note = "Counts from 1. OpenNMT-py is another program: its SinusoidalInterleaved is "
                       "vaswani, its SinusoidalConcat is whisper."},
    PresetSpec{
        .name = "pi0",
        .aliases = "hf-pi0 openpi",
        .settings = "--layout halves --denom-shift 2 --base 1000 --freq-scale 1570.7963267948967",
        .summary = "time steps of pi0's flow matching: periods from 0.004 to 4",
        .source = "Physical-Intelligence/openpi, src/openpi/models_pytorch/pi0_pytorch.py",
        .note = "--freq-scale is 2 pi / min_period, --base is max_period / min_period. Rows are "
                "times from 0 to 1; give them with --positions."},
    PresetSpec{.name = "pse-tae",
               .aliases = "utae presto torchgeo",
               .settings = "--odd exact --base 1000",
               .summary = "days of satellite images, in PSE-TAE, L-TAE, U-TAE and Presto",
               .source = "VSainteuf/pytorch-psetae, models/tae.py, get_sinusoid_encoding_table",
               .note =
                   "jadore with base 1000. Its positions are days: --positions-file. U-TAE repeats "
                   "the channels of a head: --keep-channels."},
    PresetSpec{.name = "samlynnevans",
               .settings = "--base 100000000 --pairing per-channel",
               .summary = "a popular tutorial's table, including its known bug",
               .source = "SamLynnEvans/Transformer, Embed.py",
               .note = "The exponent is 2 j / d with j the channel, not the pair: base 10^8, and a "
                       "frequency of its own per channel."},
    PresetSpec{
        .name = "tatp22-1d",
        .settings = "--odd round-up",
        .summary = "PositionalEncoding1D of multidim-positional-encoding",
        .source = "tatp22/multidim-positional-encoding, positional_encodings/torch_encodings.py",
        .note = "Of an odd d the exponents are those of d + 1, and the last cosine is left out."},
    PresetSpec{.name = "tensor2tensor",
               .aliases = "allennlp flax t2t praxis lingvo texar gluon-nlp paddlenlp thumt "
                          "mesh-tensorflow mindspore mt3 flaxformer perch",
               .settings = "--layout halves --denom-shift 2 --odd zero-pad",
               .summary = "Tensor2Tensor's get_timing_signal_1d; also AllenNLP and Flax",
               .source = "tensorflow/tensor2tensor, tensor2tensor/layers/common_attention.py",
               .note = "--freq-scale is min_timescale, which multiplies; --base is max_timescale / "
                       "min_timescale."},
    PresetSpec{.name = "tf-tutorial",
               .aliases = "mae-1d fastai fastpitch reformer-pytorch gr00t latte dofa",
               .settings = "--layout halves",
               .summary = "TensorFlow's tutorial; also the axes of MAE, DiT and I-JEPA",
               .source = "tensorflow/text, docs/tutorials/transformer.ipynb, positional_encoding",
               .note = "An odd d gives d + 1 channels there and is refused here."},
    PresetSpec{.name = "timegrad",
               .settings = "--layout halves --d 32 --len 500 --base 1/10000",
               .summary = "TimeGrad's diffusion steps: frequencies grow from 1 to 10000",
               .source = "zalandoresearch/pytorch-ts, pts/model/time_grad/epsilon_theta.py, "
                         "DiffusionEmbedding",
               .note = "The code multiplies in float32, which loses the fraction of large angles: "
                       "its own table, --arith float32-pow, is up to 0.2 away."},
    PresetSpec{
        .name = "vaswani",
        .aliases = "annotated-transformer espnet hyunwoongko opennmt-py",
        .settings = "",
        .summary = "the paper; also PyTorch's tutorials, the Annotated Transformer, Informer",
        .source = "pytorch/examples, word_language_model/model.py"},
    PresetSpec{.name = "whisper",
               .aliases = "opennmt-py-concat simple-vit-1d pytorch-geometric seq2seqsharp",
               .settings = "--layout halves --denom-shift 2",
               .summary = "Whisper's encoder; also vLLM and Qwen-Omni",
               .source = "openai/whisper, whisper/model.py, sinusoids",
               .note = "--base is max_timescale."},
    PresetSpec{.name = "x-transformers",
               .aliases = "x-transformers-scaled",
               .settings = "--layout halves --out-scale 1/sqrt(d)",
               .summary = "x-transformers' ScaledSinusoidalEmbedding, as initialized",
               .source = "lucidrains/x-transformers, x_transformers/x_transformers.py",
               .note = "The scale is learned; this is where it begins. --base is theta."},
};

}  // namespace pegen::encodings

#include <array>

#include "pegen/encodings/learned.h"
#include "pegen/encodings/learned_grid.h"
#include "pegen/encodings/preset.h"
#include "pegen/encodings/registry.h"
#include "pegen/encodings/sinusoid.h"

namespace pegen {
namespace {

using encodings::learned;
using encodings::learned_grid;
using encodings::sinusoid;

constexpr std::array presets_by_name{
    Preset{.name = "bart",
           .encoding = &learned,
           .settings = "--len 1026 --d 1024 --init normal:0,0.02 --burn 1",
           .summary = "BART's learned positions before training, 1026 rows for 1024 tokens",
           .source = "huggingface/transformers, src/transformers/models/bart/modeling_bart.py",
           .note = "The first token uses row 2; rows 0 and 1 are never used. OPT is alike, with "
                   "2050 rows."},
    Preset{.name = "bert",
           .encoding = &learned,
           .settings = "--len 512 --d 768 --init normal:0,0.02 --burn 1",
           .summary = "BERT's learned positions before training",
           .source = "huggingface/transformers, src/transformers/models/bert/modeling_bert.py",
           .note = "google-research/bert truncates the normals at two deviations, with "
                   "TensorFlow's generator."},
    Preset{.name = "clip-text",
           .encoding = &learned,
           .settings = "--len 77 --d 512 --init normal:0,0.01",
           .summary = "the text side of CLIP before training",
           .source = "openai/CLIP, clip/model.py, CLIP.initialize_parameters",
           .note = "Half the deviation of BERT's and GPT-2's."},
    Preset{.name = "clip-vision",
           .encoding = &learned,
           .settings = "--len 50 --d 768 --init normal:0,1/sqrt(d)",
           .summary = "the image side of CLIP ViT-B/32 before training",
           .source = "openai/CLIP, clip/model.py, VisionTransformer",
           .note = "Row 0 is the class token's, the others are the 7 x 7 patches."},
    Preset{.name = "ctranslate2",
           .encoding = &sinusoid,
           .settings = "--layout halves --denom-shift 2 --start 1",
           .summary = "CTranslate2's built-in position encoder",
           .source = "OpenNMT/CTranslate2, src/layers/common.cc",
           .note = "Counts from 1. Models converted from Hugging Face's Marian bring their own "
                   "table instead: that is hf-marian."},
    Preset{.name = "ddpm",
           .encoding = &sinusoid,
           .settings = "--layout halves --denom-shift 2 --odd zero-pad",
           .summary = "time steps of Denoising Diffusion Probabilistic Models",
           .source = "hojonathanho/diffusion, diffusion_tf/nn.py, get_timestep_embedding",
           .note = "Rows are time steps; give them with --positions, fractions too."},
    Preset{.name = "detr-learned",
           .encoding = &learned_grid,
           .settings = "",
           .summary = "DETR's learned positions of an image before training",
           .source = "facebookresearch/detr, models/position_encoding.py, PositionEmbeddingLearned",
           .note = "x comes first, unlike in DETR's sines. DETR's own models have hidden_dim / 2 = "
                   "128 for --num-pos-feats."},
    Preset{.name = "diffusers-timestep",
           .encoding = &sinusoid,
           .settings = "--layout halves --denom-shift 2 --odd zero-pad",
           .summary = "Diffusers' get_timestep_embedding with its defaults",
           .source = "huggingface/diffusers, src/diffusers/models/embeddings.py",
           .note =
               "--denom-shift is 2 * downscale_freq_shift, --freq-scale is scale, --first cos is "
               "flip_sin_to_cos. Stable Diffusion and Flux flip and do not shift: that is "
               "guided-diffusion."},
    Preset{.name = "fairseq",
           .encoding = &sinusoid,
           .settings = "--layout halves --denom-shift 2 --odd zero-pad --zero-row 1",
           .summary = "the table of fairseq's SinusoidalPositionalEmbedding, with its padding row",
           .source = "facebookresearch/fairseq, fairseq/modules/sinusoidal_positional_embedding.py",
           .note = "This is the table in a checkpoint, padding_idx 1. The first token uses row "
                   "padding_idx + 1 = 2: what tokens get is 'pe-gen fairseq --start 2'."},
    Preset{.name = "fairseq-learned",
           .encoding = &learned,
           .settings = "--len 1026 --d 512 --init normal:0,1/sqrt(d) --padding-row 1 --burn 1",
           .summary = "fairseq's LearnedPositionalEmbedding before training, with its padding row",
           .source = "facebookresearch/fairseq, fairseq/modules/positional_embedding.py",
           .note = "Rows are max_positions + padding_idx + 1; the first token uses row padding_idx "
                   "+ 1 = 2."},
    Preset{.name = "gpt2",
           .encoding = &learned,
           .settings = "--len 1024 --d 768 --init normal:0,0.02 --burn 1",
           .summary = "GPT-2's learned positions before training",
           .source = "huggingface/transformers, src/transformers/models/gpt2/modeling_gpt2.py",
           .note = "OpenAI's own code has a deviation of 0.01: --init normal:0,0.01."},
    Preset{.name = "guided-diffusion",
           .encoding = &sinusoid,
           .settings = "--layout halves --first cos --odd zero-pad",
           .summary = "time steps of guided-diffusion, GLIDE, latent diffusion, DiT",
           .source = "openai/guided-diffusion, guided_diffusion/nn.py, timestep_embedding",
           .note = "Cosines come first. Rows are time steps; give them with --positions."},
    Preset{.name = "hf-marian",
           .encoding = &sinusoid,
           .settings = "--layout halves --odd exact",
           .summary = "Hugging Face's Marian, Pegasus, RoFormer, Informer, Time Series Transformer",
           .source = "huggingface/transformers, src/transformers/models/marian/modeling_marian.py",
           .note = "Marian itself has d - 2 in the exponent: that is marian."},
    Preset{
        .name = "hf-patchtst",
        .encoding = &sinusoid,
        .settings = "--standardize 10",
        .summary = "PatchTST and PatchTSMixer of Hugging Face: standardized over the whole table",
        .source = "huggingface/transformers, src/transformers/models/patchtst/modeling_patchtst.py",
        .note = "Every value depends on --len."},
    Preset{.name = "jadore",
           .encoding = &sinusoid,
           .settings = "--odd exact",
           .summary = "NumPy tables: attention-is-all-you-need-pytorch, DistilBERT, XLM, VideoMAE",
           .source = "jadore801120/attention-is-all-you-need-pytorch, transformer/Models.py",
           .note = "An odd d is legal: the last cosine is left out."},
    Preset{
        .name = "keras",
        .encoding = &sinusoid,
        .settings = "--odd exact",
        .summary = "KerasHub's SinePositionEncoding",
        .source = "keras-team/keras-hub, keras_hub/src/layers/modeling/sine_position_encoding.py",
        .note = "--base is max_wavelength, --start is start_index."},
    Preset{.name = "marian",
           .encoding = &sinusoid,
           .settings = "--layout halves --denom-shift 2",
           .summary = "Marian NMT",
           .source = "marian-nmt/marian-dev, src/graph/node_initializers.cpp",
           .note = "Hugging Face's port has d in the exponent: that is hf-marian."},
    Preset{
        .name = "mlx",
        .encoding = &sinusoid,
        .settings = "--layout halves --denom-shift 2 --out-scale sqrt(2/d)",
        .summary = "MLX's SinusoidalPositionalEncoding: rows of length 1",
        .source = "ml-explore/mlx, python/mlx/nn/layers/positional_encoding.py",
        .note =
            "--freq-scale is max_freq, --base is max_freq / min_freq, --first cos is cos_first."},
    Preset{.name = "musicgen",
           .encoding = &sinusoid,
           .settings = "--layout halves --first cos --denom-shift 2 --odd zero-pad",
           .summary = "MusicGen",
           .source = "facebookresearch/audiocraft, audiocraft/modules/transformer.py",
           .note = "Like guided-diffusion, but with d - 2 in the exponent."},
    Preset{.name = "nanogpt",
           .encoding = &learned,
           .settings = "--len 1024 --d 768 --init normal:0,0.02 --burn 1",
           .summary = "nanoGPT's wpe before training: the numbers of gpt2",
           .source = "karpathy/nanoGPT, model.py",
           .note = "--len is block_size, --d is n_embd."},
    Preset{
        .name = "note1",
        .encoding = &sinusoid,
        .settings = "--pairing per-channel --denom-shift 1 --odd exact",
        .summary = "the misprint of many tutorials: d - 1, and a frequency of its own per channel",
        .source = "tutorials that print 10000^(j / (d_model - 1)) for channel j",
        .note = "A sine and its cosine turn at different speeds, so a shift of the position is "
                "not a rotation and a dot product does not depend on the offset alone."},
    Preset{.name = "opennmt",
           .encoding = &sinusoid,
           .settings = "--layout halves --denom-shift 2 --start 1",
           .summary = "OpenNMT-tf's SinusoidalPositionEncoder",
           .source = "OpenNMT/OpenNMT-tf, opennmt/layers/position.py",
           .note = "Counts from 1. OpenNMT-py is another program: its SinusoidalInterleaved is "
                   "vaswani, its SinusoidalConcat is whisper."},
    Preset{.name = "samlynnevans",
           .encoding = &sinusoid,
           .settings = "--base 100000000 --pairing per-channel",
           .summary = "a popular tutorial's table, known bug included",
           .source = "SamLynnEvans/Transformer, Embed.py",
           .note = "The exponent is 2 j / d with j the channel, not the pair: base 10^8, and a "
                   "frequency of its own per channel."},
    Preset{.name = "tensor2tensor",
           .encoding = &sinusoid,
           .settings = "--layout halves --denom-shift 2 --odd zero-pad",
           .summary = "Tensor2Tensor's get_timing_signal_1d; also AllenNLP and Flax",
           .source = "tensorflow/tensor2tensor, tensor2tensor/layers/common_attention.py",
           .note = "--freq-scale is min_timescale, which multiplies; --base is max_timescale / "
                   "min_timescale."},
    Preset{.name = "timm-vit",
           .encoding = &learned,
           .settings = "--len 197 --d 768 --init trunc-normal:0,0.02,-2,2 --burn 1",
           .summary = "ViT, DeiT, DINOv2 of timm before training",
           .source = "huggingface/pytorch-image-models, timm/models/vision_transformer.py",
           .note = "The normals are cut off at -2 and 2, which with a deviation of 0.02 is never."},
    Preset{.name = "vaswani",
           .encoding = &sinusoid,
           .settings = "",
           .summary = "the paper; also PyTorch's tutorials, the Annotated Transformer, Autoformer",
           .source = "pytorch/examples, word_language_model/model.py"},
    Preset{.name = "vit",
           .encoding = &learned,
           .settings = "--len 197 --d 768 --init normal:0,0.02",
           .summary = "the Vision Transformer's learned positions before training",
           .source = "pytorch/vision, torchvision/models/vision_transformer.py",
           .note = "Row 0 is the class token's. google-research/vision_transformer has the same "
                   "deviation and JAX's generator; timm's table is timm-vit."},
    Preset{.name = "whisper",
           .encoding = &sinusoid,
           .settings = "--layout halves --denom-shift 2",
           .summary = "Whisper's encoder; also vLLM and Qwen-Omni",
           .source = "openai/whisper, whisper/model.py, sinusoids",
           .note = "--base is max_timescale."},
};

}  // namespace

std::span<const Preset> all_presets() { return presets_by_name; }

Parameters parameters_of(const Preset& preset) {
    Parameters parameters(preset.encoding->parameters);
    parameters.set_all(preset.settings, Origin::preset);
    return parameters;
}

}  // namespace pegen

#include <array>

#include "encodings/images/detr.h"
#include "encodings/images/grid.h"
#include "encodings/learned/learned.h"
#include "encodings/learned/learned_grid.h"
#include "encodings/points/fourier.h"
#include "encodings/preset.h"
#include "encodings/registry.h"
#include "encodings/sequence/sinusoid.h"

namespace pegen {
namespace {

using encodings::detr;
using encodings::fourier;
using encodings::grid;
using encodings::learned;
using encodings::learned_grid;
using encodings::sinusoid;

constexpr std::array presets_by_name{
    Preset{.name = "aimv2",
           .aliases = "hf-aimv2",
           .encoding = &grid,
           .settings = "--order afk --axes xy",
           .summary = "AIMv2 with sines and cosines, of Hugging Face",
           .source = "huggingface/transformers, src/transformers/models/aimv2/modeling_aimv2.py",
           .note = "The table of mae, in the dtype of the model. A d that 4 does not divide is "
                   "refused here; "
                   "the code returns a narrower table."},
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
    Preset{.name = "big-vision",
           .encoding = &grid,
           .settings = "--order afk --axes xy --denom-shift 2",
           .summary = "posemb_sincos_2d of Big Vision's ViT",
           .source = "google-research/big_vision, big_vision/models/vit.py",
           .note = "It says it follows MoCo v3, but has d / 2 - 2 in the exponent and x first on "
                   "every grid: it is simple-vit."},
    Preset{.name = "clip-text",
           .encoding = &learned,
           .settings = "--len 77 --d 512 --init normal:0,0.01",
           .summary = "the text side of CLIP before training",
           .source = "openai/CLIP, clip/model.py, CLIP.initialize_parameters",
           .note = "Half the deviation of BERT's and of Hugging Face's GPT-2."},
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
           .note =
               "Counts from 1. Models converted from Marian bring their own table instead: that "
               "is hf-marian. An odd d gives d - 1 channels there and is refused here."},
    Preset{.name = "dab-detr",
           .encoding = &detr,
           .settings = "--temperature 20,20 --normalize",
           .summary = "DAB-DETR: a temperature of its own for y and for x, both 20",
           .source = "IDEA-Research/DAB-DETR, models/DAB_DETR/position_encoding.py and main.py",
           .note = "The temperatures are pe_temperatureH and pe_temperatureW. The model has "
                   "--num-pos-feats 128. DAB-Deformable-DETR is deformable-detr."},
    Preset{.name = "ddpm",
           .aliases = "lucidrains-ddpm",
           .encoding = &sinusoid,
           .settings = "--layout halves --denom-shift 2 --odd zero-pad",
           .summary = "time steps of Denoising Diffusion Probabilistic Models",
           .source = "hojonathanho/diffusion, diffusion_tf/nn.py, get_timestep_embedding",
           .note = "Rows are time steps; give them with --positions, fractions too."},
    Preset{.name = "deformable-detr",
           .encoding = &detr,
           .settings = "--normalize --offset -0.5",
           .summary = "Deformable DETR, DAB-Deformable-DETR: the middle of each pixel",
           .source = "fundamentalvision/Deformable-DETR, models/position_encoding.py",
           .note = "The class has DETR's name and arguments, but counts from 0.5 when it "
                   "normalizes. In a line of padding that is -0.5 / 1e-6: a position of "
                   "-3 million, whose sines are noise in float32 code; here they are exact. "
                   "The model has --num-pos-feats 128."},
    Preset{.name = "detr-learned",
           .encoding = &learned_grid,
           .settings = "",
           .summary = "DETR's learned positions of an image before training",
           .source = "facebookresearch/detr, models/position_encoding.py, PositionEmbeddingLearned",
           .note = "x comes first, unlike in DETR's sines. DETR's own models have hidden_dim / 2 = "
                   "128 for --num-pos-feats."},
    Preset{.name = "diffusers-2d",
           .encoding = &grid,
           .settings = "--height 16 --width 16 --order afk --axes xy",
           .summary = "Diffusers' get_2d_sincos_pos_embed for a grid of its base size",
           .source = "huggingface/diffusers, src/diffusers/models/embeddings.py",
           .note = "Positions are scaled to base_size, 16 unless a model says otherwise: for other "
                   "grids give --step base_size/height/interpolation_scale and the same of the "
                   "width as numbers, so 32 x 32 is --step 0.5. extra_tokens are --prefix-rows. "
                   "float64 in its code: --dtype float64."},
    Preset{.name = "diffusers-3d",
           .encoding = &grid,
           .settings = "--depth 8 --order afk --axes txy --split 1/4,3/8,3/8",
           .summary = "Diffusers' get_3d_sincos_pos_embed: CogVideoX",
           .source = "huggingface/diffusers, src/diffusers/models/embeddings.py",
           .note = "The table is (frames, height * width, d) there. Its scales are --step "
                   "1/temporal,1/spatial,1/spatial as numbers, its spatial_size is width and "
                   "height. float64 in its code: --dtype float64."},
    Preset{.name = "diffusers-timestep",
           .encoding = &sinusoid,
           .settings = "--layout halves --denom-shift 2 --odd zero-pad",
           .summary = "Diffusers' get_timestep_embedding with its defaults",
           .source = "huggingface/diffusers, src/diffusers/models/embeddings.py",
           .note =
               "--denom-shift is 2 * downscale_freq_shift, --freq-scale is scale, --first cos is "
               "flip_sin_to_cos. Stable Diffusion and Flux flip and do not shift: that is "
               "guided-diffusion."},
    Preset{.name = "dino",
           .encoding = &detr,
           .settings = "--temperature 20,20 --normalize",
           .summary = "DINO, the detector: a temperature of its own for y and for x, both 20",
           .source = "IDEA-Research/DINO, models/dino/position_encoding.py and "
                     "config/DINO/DINO_4scale.py",
           .note =
               "Not the vision transformer of the same name. It descends from Deformable DETR but "
               "has no offset. The model has --num-pos-feats 128."},
    Preset{.name = "dino-points",
           .encoding = &fourier,
           .settings = "--coords linspace:0:1 --freqs geometric:0.0001:64 --freq-scale 2*pi",
           .summary = "reference points and boxes of DAB-DETR's and DINO's decoders",
           .source = "IDEA-Research/DINO, models/dino/utils.py, gen_sineembed_for_position",
           .note = "Its points are a file of two columns, y and x, or four, y, x, w, h, from 0 to "
                   "1. The code takes x first and gives y first."},
    Preset{
        .name = "fairseq",
        .aliases = "hf-m2m100 hf-speech2text",
        .encoding = &sinusoid,
        .settings = "--layout halves --denom-shift 2 --odd zero-pad --zero-row 1",
        .summary = "the table of fairseq's SinusoidalPositionalEmbedding, with its padding row",
        .source = "facebookresearch/fairseq, fairseq/modules/sinusoidal_positional_embedding.py",
        .note =
            "This is the table that the module makes for padding_idx 1, self.weights. The first "
            "token uses row padding_idx + 1 = 2: what tokens get is 'pe-gen fairseq --start 2'."},
    Preset{.name = "fairseq-learned",
           .encoding = &learned,
           .settings = "--len 1026 --d 512 --init normal:0,1/sqrt(d) --padding-row 1 --burn 1",
           .summary = "fairseq's LearnedPositionalEmbedding before training, with its padding row",
           .source = "facebookresearch/fairseq, fairseq/modules/positional_embedding.py",
           .note = "Rows are max_positions + padding_idx + 1; the first token uses row padding_idx "
                   "+ 1 = 2."},
    Preset{.name = "fairseq2",
           .encoding = &sinusoid,
           .settings = "--layout halves --denom-shift 2 --prefix-rows 1",
           .summary = "fairseq2's SinusoidalPositionEncoder, a row of zeros for padding in front",
           .source = "facebookresearch/fairseq2, src/fairseq2/nn/position_encoder.py",
           .note = "Without the row in front in early versions, --prefix-rows 0. With "
                   "_legacy_pad_idx 1 it starts as fairseq does: --start 2."},
    Preset{
        .name = "fairseq2-2d",
        .encoding = &grid,
        .settings = "--order afk --axes yx --odd round-up --view grid",
        .summary = "fairseq2's Sinusoidal2dPositionEncoder",
        .source = "facebookresearch/fairseq2, src/fairseq2/nn/position_encoder.py",
        .note =
            "fairseq2's encoder of one axis has d - 2 in the exponent, this one has not. An odd d "
            "is an error there."},
    Preset{.name = "fairseq2-3d",
           .encoding = &grid,
           .settings =
               "--depth 8 --order afk --axes tyx --split 1/2,1/4,1/4 --odd round-up --view grid",
           .summary = "fairseq2's Sinusoidal3dPositionEncoder: half of the channels for the depth",
           .source = "facebookresearch/fairseq2, src/fairseq2/nn/position_encoder.py",
           .note = "uniform_power is --split equal. An odd d is an error there."},
    Preset{.name = "gligen",
           .encoding = &fourier,
           .settings = "--coords linspace:0:1 --freqs geometric:100:8 --order kfa",
           .summary = "the boxes of GLIGEN; also of diffusers",
           .source = "gligen/GLIGEN, ldm/modules/diffusionmodules/util.py, FourierEmbedder",
           .note =
               "Frequencies grow from 1 to less than 100, there is no pi. Its points are "
               "boxes: a file of four columns, x0, y0, x1, y1 from 0 to 1; or keypoints, x and y."},
    Preset{.name = "gpt2",
           .encoding = &learned,
           .settings = "--len 1024 --d 768 --init normal:0,0.02 --burn 1",
           .summary = "GPT-2's learned positions before training",
           .source = "huggingface/transformers, src/transformers/models/gpt2/modeling_gpt2.py",
           .note = "OpenAI's own code has a deviation of 0.01: --init normal:0,0.01."},
    Preset{.name = "guided-diffusion",
           .aliases = "dit-timestep glide latent-diffusion",
           .encoding = &sinusoid,
           .settings = "--layout halves --first cos --odd zero-pad",
           .summary = "time steps of guided-diffusion, GLIDE, latent diffusion, DiT",
           .source = "openai/guided-diffusion, guided_diffusion/nn.py, timestep_embedding",
           .note = "Cosines come first. Rows are time steps; give them with --positions."},
    Preset{.name = "hf-marian",
           .aliases = "hf-ctrl hf-pegasus hf-roformer",
           .encoding = &sinusoid,
           .settings = "--layout halves --odd exact",
           .summary = "Hugging Face's Marian, Pegasus, RoFormer, Informer, Time Series Transformer",
           .source = "huggingface/transformers, src/transformers/models/marian/modeling_marian.py",
           .note = "Marian itself has d - 2 in the exponent: that is marian."},
    Preset{
        .name = "hf-patchtst",
        .encoding = &sinusoid,
        .settings = "--standardize 10",
        .summary = "PatchTST of Hugging Face: standardized over the whole table",
        .source = "huggingface/transformers, src/transformers/models/patchtst/modeling_patchtst.py",
        .note = "Every value depends on --len."},
    Preset{
        .name = "jadore",
        .aliases = "hf-distilbert hf-videomae hf-xlm kyubyong",
        .encoding = &sinusoid,
        .settings = "--odd exact",
        .summary = "NumPy tables: attention-is-all-you-need-pytorch, DistilBERT, XLM, VideoMAE",
        .source = "jadore801120/attention-is-all-you-need-pytorch, transformer/Models.py",
        .note =
            "An odd d is legal: the last cosine is left out. Early versions were samlynnevans with "
            "--zero-row 0."},
    Preset{.name = "jepa",
           .aliases = "hf-2d vjepa",
           .encoding = &grid,
           .settings = "--order afk --axes yx",
           .summary = "V-JEPA's get_2d_sincos_pos_embed: y before x",
           .source = "facebookresearch/jepa, src/models/utils/pos_embs.py",
           .note =
               "A function of the same name as mae's and I-JEPA's, but y comes first. float64 in "
               "its code: --dtype float64. cls_token is --prefix-rows 1."},
    Preset{
        .name = "jepa-3d",
        .encoding = &grid,
        .settings = "--depth 8 --order afk --axes tyx --split 1/2,1/4,1/4",
        .summary = "V-JEPA's get_3d_sincos_pos_embed: half of the channels for the frames",
        .source = "facebookresearch/jepa, src/models/utils/pos_embs.py",
        .note =
            "This is the function's default. The models V-JEPA trains set uniform_power: --split "
            "equal --odd round-up. float64 in its code: --dtype float64."},
    Preset{
        .name = "keras",
        .aliases = "keras-hub",
        .encoding = &sinusoid,
        .settings = "--odd exact",
        .summary = "KerasHub's SinePositionEncoding",
        .source = "keras-team/keras-hub, keras_hub/src/layers/modeling/sine_position_encoding.py",
        .note = "--base is max_wavelength, --start is start_index."},
    Preset{.name = "loftr",
           .encoding = &grid,
           .settings = "--d 256 --order kaf --axes xy --start 1 --view channels-first",
           .summary = "LoFTR: sin x, cos x, sin y, cos y of each frequency, counted from 1",
           .source = "zju3dv/LoFTR, src/loftr/utils/position_encoding.py",
           .note = "This is temp_bug_fix=True. All weights but indoor_ds_new need False, a slip of "
                   "precedence by which the base is e^(d/2): for d 256, --base "
                   "3.887708405994595e55."},
    Preset{.name = "lucidrains-perceiver",
           .encoding = &fourier,
           .settings = "--freqs linear:1:5:6 --freq-scale pi --order afk --raw after-each",
           .summary = "perceiver-pytorch with its README's bands: 6, up to 10 / 2",
           .source = "lucidrains/perceiver-pytorch, perceiver_pytorch/perceiver_pytorch.py, "
                     "fourier_encode",
           .note =
               "The coordinate follows the channels of its axis; those of perceiver stand "
               "before all. --freqs is linear:1:max_freq/2:num_freq_bands. Before 0.7.4 the bands "
               "were geometric, from 1 to max_freq/2: --freqs geometric:6.898648307306074:6."},
    Preset{.name = "mae",
           .aliases = "dit ijepa",
           .encoding = &grid,
           .settings = "--order afk --axes xy",
           .summary = "Masked Autoencoders; also I-JEPA, DiT: x before y, sines before cosines",
           .source = "facebookresearch/mae, util/pos_embed.py",
           .note = "The names emb_h and emb_w are swapped in its code: x comes first. float64 "
                   "there: --dtype float64. cls_token is --prefix-rows 1."},
    Preset{.name = "marian",
           .aliases = "marian-nmt",
           .encoding = &sinusoid,
           .settings = "--layout halves --denom-shift 2",
           .summary = "Marian NMT",
           .source = "marian-nmt/marian-dev, SinusoidalPositionEmbeddings",
           .note = "Hugging Face's port has d in the exponent: that is hf-marian."},
    Preset{.name = "mask2former",
           .aliases = "maskformer",
           .encoding = &detr,
           .settings = "--normalize",
           .summary = "Mask2Former; also MaskFormer and DETR's own model",
           .source = "facebookresearch/Mask2Former, "
                     "mask2former/modeling/transformer_decoder/position_encoding.py",
           .note = "DETR's arithmetic; without a mask all pixels are valid. The class does not "
                   "normalize unless told to, the model tells it to. The model has "
                   "--num-pos-feats 128."},
    Preset{
        .name = "mip-nerf",
        .aliases = "mipnerf",
        .encoding = &fourier,
        .settings = "--freqs pow2:0:16 --order fka --raw before",
        .summary = "mip-NeRF's pos_enc: all sines before all cosines",
        .source = "google/mipnerf, internal/mip.py, pos_enc",
        .note =
            "These are the function's own channels. View directions have --freqs pow2:0:4. Points "
            "along a ray have no raw channels, and every value is damped by the size of "
            "the cone: without size it is --raw none."},
    Preset{.name = "mlx",
           .encoding = &sinusoid,
           .settings = "--layout halves --denom-shift 2 --out-scale sqrt(2/d)",
           .summary = "MLX's SinusoidalPositionalEncoding: rows of length 1",
           .source = "ml-explore/mlx, python/mlx/nn/layers/positional_encoding.py",
           .note =
               "--freq-scale is max_freq, or with full_turns 2 pi times that; --base is max_freq / "
               "min_freq, --first cos is cos_first. An odd d gives d - 1 channels there and is "
               "refused "
               "here."},
    Preset{.name = "mmdet",
           .encoding = &detr,
           .settings = "--normalize",
           .summary = "MMDetection's SinePositionalEncoding as its DETR has it",
           .source = "open-mmlab/mmdetection, mmdet/models/layers/positional_encoding.py",
           .note = "--num-pos-feats is num_feats, 128 in the configurations. Those of Deformable "
                   "DETR have --offset -0.5, those of DINO --temperature 20. The class itself "
                   "does not normalize unless told to, and takes no notice of scale and offset "
                   "then."},
    Preset{.name = "moco-v3",
           .encoding = &grid,
           .settings = "--order afk --axes xy --tokens column --prefix-rows 1",
           .summary = "MoCo v3: x before y, but tokens go down columns",
           .source = "facebookresearch/moco-v3, vits.py",
           .note = "On a square grid that is jepa with a class token; on others tokens and patches "
                   "do not match."},
    Preset{.name = "musicgen",
           .aliases = "audiocraft demucs-1d hf-musicgen",
           .encoding = &sinusoid,
           .settings = "--layout halves --first cos --denom-shift 2 --odd zero-pad",
           .summary = "MusicGen",
           .source =
               "facebookresearch/audiocraft, audiocraft/modules/transformer.py; "
               "huggingface/transformers, src/transformers/models/musicgen/modeling_musicgen.py",
           .note = "Like guided-diffusion, but with d - 2 in the exponent. Of an odd d the port of "
                   "Hugging Face has zeros in the last channel; audiocraft refuses it."},
    Preset{.name = "nanogpt",
           .encoding = &learned,
           .settings = "--len 1024 --d 768 --init normal:0,0.02 --burn 1",
           .summary = "nanoGPT's wpe before training, made alone as gpt2",
           .source = "karpathy/nanoGPT, model.py",
           .note = "--len is block_size, --d is n_embd."},
    Preset{
        .name = "nerf",
        .encoding = &fourier,
        .settings = "--freqs pow2:10 --order kfa --raw before",
        .summary = "NeRF's points; view directions have --freqs pow2:4",
        .source = "bmild/nerf, run_nerf_helpers.py, Embedder",
        .note =
            "The paper's formula has pi and no coordinates, --freq-scale pi --raw none; this, the "
            "code, has coordinates and no pi. log_sampling off is --freqs linear:1:512:10."},
    Preset{.name = "note0",
           .encoding = &detr,
           .settings = "--num-pos-feats 64 --temperature 10 --height 20 --width 20",
           .summary = "the demonstration of many tutorials on DETR: a picture of 128 x 400",
           .source = "tutorials that plot PositionEmbeddingSine(64, temperature=10) of 20 x 20",
           .note = "With --cmap viridis --aspect equal it is what they show."},
    Preset{
        .name = "note1",
        .encoding = &sinusoid,
        .settings = "--pairing per-channel --denom-shift 1 --odd exact",
        .summary = "the misprint of many tutorials: d - 1, and a frequency of its own per channel",
        .source = "tutorials that print 10000^(j / (d_model - 1)) for channel j",
        .note = "A sine and its cosine turn at different speeds, so a shift of the position is "
                "not a rotation and a dot product does not depend on the offset alone."},
    Preset{.name = "note3",
           .encoding = &grid,
           .settings = "",
           .summary = "what tutorials print as MAE's: y before x, sin and cos side by side",
           .source = "tutorials that take the table of one axis for each half of the channels",
           .note = "MAE's own table puts x first, and sines before cosines: that is mae."},
    Preset{.name = "opennmt",
           .aliases = "opennmt-tf",
           .encoding = &sinusoid,
           .settings = "--layout halves --denom-shift 2 --start 1",
           .summary = "OpenNMT-tf's SinusoidalPositionEncoder",
           .source = "OpenNMT/OpenNMT-tf, opennmt/layers/position.py",
           .note = "Counts from 1. OpenNMT-py is another program: its SinusoidalInterleaved is "
                   "vaswani, its SinusoidalConcat is whisper."},
    Preset{.name = "perceiver",
           .aliases = "hf-perceiver perceiver-io",
           .encoding = &fourier,
           .settings = "--height 224 --width 224 --freqs linear:1:112:64 --freq-scale pi --order "
                       "fak --raw before",
           .summary = "Perceiver and Perceiver IO on ImageNet's pixels",
           .source = "huggingface/transformers, "
                     "src/transformers/models/perceiver/modeling_perceiver.py",
           .note =
               "--freqs is linear:1:max_resolution/2:num_bands; a max_resolution of two different "
               "numbers gives each axis frequencies of its own, as --freqs "
               "linear:1:184:64/linear:1:248:64 of optical flow."},
    Preset{
        .name = "pi0",
        .aliases = "hf-pi0 openpi",
        .encoding = &sinusoid,
        .settings = "--layout halves --denom-shift 2 --base 1000 --freq-scale 1570.7963267948967",
        .summary = "time steps of pi0's flow matching: periods from 0.004 to 4",
        .source = "Physical-Intelligence/openpi, src/openpi/models_pytorch/pi0_pytorch.py",
        .note = "--freq-scale is 2 pi / min_period, --base is max_period / min_period. Rows are "
                "times from 0 to 1; give them with --positions."},
    Preset{.name = "pips",
           .aliases = "pips-3d",
           .encoding = &fourier,
           .settings = "--freqs linear:0:968.75:32 --raw after",
           .summary = "get_3d_embedding of PIPs for C 64: equally spaced frequencies from 0 on",
           .source = "aharley/pips, utils/misc.py",
           .note =
               "--freqs is linear:0:1000 (C - 2) / C:C / 2 as numbers. Its points are a file of "
               "three columns, x, y and z. The frequencies are multiplied where a division was "
               "meant."},
    Preset{
        .name = "pytorch3d",
        .aliases = "pytorch3d-harmonic",
        .encoding = &fourier,
        .settings = "--freqs pow2:6 --order fak --raw after",
        .summary = "PyTorch3D's HarmonicEmbedding: the coordinates come last",
        .source = "facebookresearch/pytorch3d, "
                  "pytorch3d/renderer/implicit/harmonic_embedding.py",
        .note =
            "--freq-scale is omega_0. logspace off is --freqs linear:1:32:6. diag_cov, which damps "
            "the values, is not to be had here."},
    Preset{.name = "rt-detr",
           .encoding = &grid,
           .settings = "--order afk --axes xy --tokens column",
           .summary = "RT-DETR's encoder; also Ultralytics",
           .source = "lyuwenyu/RT-DETR, rtdetr_pytorch/src/zoo/rtdetr/hybrid_encoder.py",
           .note =
               "Tokens go down columns, those of the image along rows: on other than square "
               "grids they do not match. Hugging Face's port has since been mended: it is jepa."},
    Preset{
        .name = "sam2",
        .encoding = &detr,
        .settings = "--normalize",
        .summary = "SAM 2's image encoder: images without padding",
        .source = "facebookresearch/sam2, sam2/modeling/position_encoding.py",
        .note =
            "Its num_pos_feats is the total and is halved inside: its 256 is --num-pos-feats 128 "
            "here, the 64 of its memory --num-pos-feats 32. It has no mask."},
    Preset{.name = "samlynnevans",
           .encoding = &sinusoid,
           .settings = "--base 100000000 --pairing per-channel",
           .summary = "a popular tutorial's table, known bug included",
           .source = "SamLynnEvans/Transformer, Embed.py",
           .note = "The exponent is 2 j / d with j the channel, not the pair: base 10^8, and a "
                   "frequency of its own per channel."},
    Preset{.name = "simple-vit",
           .encoding = &grid,
           .settings = "--order afk --axes xy --denom-shift 2",
           .summary = "SimpleViT of vit-pytorch: like mae, but the slowest frequency is 1 / base",
           .source = "lucidrains/vit-pytorch, vit_pytorch/simple_vit.py",
           .note = "d 4 gives NaN there; here the exponent of a single frequency is 0."},
    Preset{.name = "simple-vit-3d",
           .encoding = &grid,
           .settings = "--depth 8 --order afk --axes xyt --denom-shift 2 --odd zero-pad",
           .summary = "SimpleViT of vit-pytorch for video",
           .source = "lucidrains/vit-pytorch, vit_pytorch/simple_vit_3d.py",
           .note =
               "What d leaves over beyond a multiple of 6 is zeros at the end. A single frequency "
               "gives NaN there; here its exponent is 0."},
    Preset{.name = "t2t-nd",
           .aliases = "tensor2tensor-nd",
           .encoding = &grid,
           .settings = "--order afk --denom-shift 2 --odd zero-pad --view grid",
           .summary = "Tensor2Tensor's add_timing_signal_nd, with two axes or --depth",
           .source = "tensorflow/tensor2tensor, tensor2tensor/layers/common_attention.py",
           .note = "--freq-scale is min_timescale, which multiplies; --base is max_timescale / "
                   "min_timescale. A single frequency gives NaN there; here its exponent is 0."},
    Preset{.name = "tatp22",
           .encoding = &grid,
           .settings = "--odd round-up --view grid",
           .summary = "PositionalEncoding2D and, with --depth, 3D",
           .source = "tatp22/multidim-positional-encoding, positional_encodings/torch_encodings.py",
           .note = "Its x is the first axis of the tensor. Old releases had sines before cosines. "
                   "The Permute classes are --view channels-first."},
    Preset{
        .name = "tatp22-1d",
        .encoding = &sinusoid,
        .settings = "--odd round-up",
        .summary = "PositionalEncoding1D of multidim-positional-encoding",
        .source = "tatp22/multidim-positional-encoding, positional_encodings/torch_encodings.py",
        .note = "Of an odd d the exponents are those of d + 1, and the last cosine is left out."},
    Preset{.name = "tensor2tensor",
           .aliases = "allennlp flax t2t",
           .encoding = &sinusoid,
           .settings = "--layout halves --denom-shift 2 --odd zero-pad",
           .summary = "Tensor2Tensor's get_timing_signal_1d; also AllenNLP and Flax",
           .source = "tensorflow/tensor2tensor, tensor2tensor/layers/common_attention.py",
           .note = "--freq-scale is min_timescale, which multiplies; --base is max_timescale / "
                   "min_timescale."},
    Preset{.name = "tf-tutorial",
           .aliases = "mae-1d",
           .encoding = &sinusoid,
           .settings = "--layout halves",
           .summary = "TensorFlow's tutorial; also the axes of MAE, DiT and I-JEPA",
           .source = "tensorflow/text, docs/tutorials/transformer.ipynb, positional_encoding",
           .note = "An odd d gives d + 1 channels there and is refused here."},
    Preset{.name = "timm",
           .aliases = "timm-sincos2d",
           .encoding = &grid,
           .settings = "--order fak --axes yx",
           .summary = "timm's build_sincos2d_pos_embed: all sines before all cosines",
           .source = "huggingface/pytorch-image-models, timm/layers/pos_embed_sincos.py",
           .note = "interleave_sin_cos interleaves no channels, it is --order afk; reverse_coord "
                   "is --axes xy --tokens column."},
    Preset{.name = "timm-fourier",
           .encoding = &fourier,
           .settings = "--freqs linear:1:112:64 --freq-scale pi --order fka --raw before",
           .summary = "timm's FourierEmbed",
           .source = "huggingface/pytorch-image-models, timm/layers/pos_embed_sincos.py, "
                     "FourierEmbed",
           .note = "The bands of perceiver, but the axis runs fastest. max_res stays 224 "
                   "whatever the size of the image: --freqs linear:1:max_res/2:num_bands."},
    Preset{
        .name = "timm-vit",
        .aliases = "deit dinov2 hf-vit",
        .encoding = &learned,
        .settings = "--len 197 --d 768 --init trunc-normal:0,0.02,-2,2",
        .summary = "ViT, DeiT, DINOv2 of timm before training",
        .source = "huggingface/pytorch-image-models, timm/models/vision_transformer.py",
        .note =
            "The ends, -2 and 2, are not in units of the deviation: one value in 2^24 is -2, the "
            "others are far within. Older versions drew normals before: --burn 1."},
    Preset{.name = "vaswani",
           .aliases = "annotated-transformer espnet hyunwoongko opennmt-py",
           .encoding = &sinusoid,
           .settings = "",
           .summary = "the paper; also PyTorch's tutorials, the Annotated Transformer, Informer",
           .source = "pytorch/examples, word_language_model/model.py"},
    Preset{.name = "vit",
           .encoding = &learned,
           .settings = "--len 197 --d 768 --init normal:0,0.02",
           .summary = "the Vision Transformer's learned positions before training",
           .source = "pytorch/vision, torchvision/models/vision_transformer.py",
           .note = "Row 0 is the class token's. google-research/vision_transformer has the same "
                   "deviation and JAX's generator; timm's table is timm-vit."},
    Preset{
        .name = "vit-pytorch",
        .encoding = &learned,
        .settings = "--len 65 --d 1024 --init normal:0,1",
        .summary = "ViT of vit-pytorch before training: a deviation of 1",
        .source = "lucidrains/vit-pytorch, vit_pytorch/vit.py",
        .note = "Row 0 is the class token's; 65 rows are its README's 256 / 32 squared and one."},
    Preset{.name = "whisper",
           .aliases = "opennmt-py-concat simple-vit-1d",
           .encoding = &sinusoid,
           .settings = "--layout halves --denom-shift 2",
           .summary = "Whisper's encoder; also vLLM and Qwen-Omni",
           .source = "openai/whisper, whisper/model.py, sinusoids",
           .note = "--base is max_timescale."},
    Preset{.name = "wzlxjtu",
           .aliases = "demucs-2d",
           .encoding = &grid,
           .settings = "--order akf --axes xy --view channels-first",
           .summary = "positionalencoding2d, copied from an early gist: x before y, channels first",
           .source = "wzlxjtu/PositionalEncoding2D, positionalembedding2d.py",
           .note = "DETR's on an image without padding has y first and counts from 1. Demucs has "
                   "max_period, --base."},
    Preset{.name = "x-transformers",
           .aliases = "x-transformers-scaled",
           .encoding = &sinusoid,
           .settings = "--layout halves --out-scale 1/sqrt(d)",
           .summary = "ScaledSinusoidalEmbedding of x-transformers before training",
           .source = "lucidrains/x-transformers, x_transformers/x_transformers.py",
           .note = "The scale is learned; this is where it begins. --base is theta."},
};

}  // namespace

std::span<const Preset> all_presets() { return presets_by_name; }

Parameters parameters_of(const Preset& preset) {
    Parameters parameters(preset.encoding->parameters);
    parameters.set_all(preset.settings, Origin::preset);
    return parameters;
}

}  // namespace pegen

#include <fmt/format.h>

#include <array>
#include <optional>

#include "core/error.h"
#include "core/number.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/position_files.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/waves.h"
#include "numerics/real.h"
#include "rows/arithmetic.h"
#include "rows/arranged.h"

namespace pegen::encodings {
namespace {

using numerics::ChannelLayout;
using numerics::Frequencies;
using numerics::Function;
using numerics::GeometricProgression;

constexpr std::array parameters{
    len_parameter,
    d_parameter,
    base_parameter,
    ParameterSpec{.name = "layout",
                  .type = ParameterType::word,
                  .default_value = "interleaved",
                  .choices = "interleaved halves",
                  .summary = "sin cos sin cos ..., or all sines then all cosines"},
    first_parameter,
    keep_channels_parameter,
    view_parameter,
    ParameterSpec{.name = "denom-shift",
                  .default_value = "0",
                  .summary = "subtracted from d in the exponent's denominator: 0, 1 or 2"},
    ParameterSpec{.name = "pairing",
                  .type = ParameterType::word,
                  .default_value = "shared",
                  .choices = "shared per-channel",
                  .summary = "one frequency for a sin and a cos, or one for each channel"},
    ParameterSpec{.name = "odd",
                  .type = ParameterType::word,
                  .default_value = "error",
                  .choices = "error exact zero-pad round-up",
                  .summary = "what to do with an odd d"},
    start_parameter,
    step_parameter,
    positions_parameter,
    positions_file_parameter,
    reverse_parameter,
    freq_scale_parameter,
    ParameterSpec{.name = "out-scale",
                  .default_value = "1",
                  .summary = "factor for all values, such as 1/sqrt(d)",
                  .role = Role::scale},
    ParameterSpec{.name = "standardize",
                  .range = positive,
                  .summary = "standardize the whole table: (PE - mean) / (X * deviation)",
                  .role = Role::statistics},
    ParameterSpec{.name = "zero-row",
                  .type = ParameterType::integer,
                  .range = any_position,
                  .summary = "the row of position N is zero, for a padding index"},
    prefix_rows_parameter,
    arith_parameter("exact float32 float32-pow bfloat16 float16",
                    "the exact formula, or PyTorch's float32 arithmetic, with frequencies "
                    "exp(-log(base) / d * u) or 1 / base^(u / d), or that in 16 bits"),
    rounded_parameter,
};

/// The channels, as given by the parameters.
struct Channels {
    std::int64_t d;
    std::int64_t width;   ///< the d of the formula; --odd may make it d - 1 or d + 1
    std::int64_t filled;  ///< channels with a sine or a cosine; the rest are 0
    bool is_per_channel;
    bool has_halves;
    Function first;

    std::int64_t frequencies() const { return is_per_channel ? filled : (filled + 1) / 2; }
};

std::int64_t computed_width(std::int64_t d, std::string_view odd) {
    if (odd == "zero-pad") return d - d % 2;
    if (odd == "round-up") return d + d % 2;
    return d;
}

Channels channels_of(const Parameters& p) {
    const std::int64_t d = p.integer("d");
    const std::int64_t width = computed_width(d, p.word("odd"));
    return {.d = d,
            .width = width,
            .filled = std::min(width, d),
            .is_per_channel = p.word("pairing") == "per-channel",
            .has_halves = p.word("layout") == "halves",
            .first = p.word("first") == "sin" ? Function::sin : Function::cos};
}

ChannelLayout layout_of(const Channels& channels) {
    const auto make = channels.is_per_channel ? numerics::alternating
                      : channels.has_halves   ? numerics::halves
                                              : numerics::interleaved;
    return padded(make(channels.filled, channels.first), channels.d);
}

/// Returns the pairs: each sine with the cosine of the same frequency or, if every channel has its
/// own frequency, with the next cosine.
ChannelPairs pairs_of(const Channels& channels) {
    return [channels] {
        return numerics::pairs_of(channels.is_per_channel
                                      ? numerics::interleaved(channels.filled, channels.first)
                                      : layout_of(channels));
    };
}

GeometricProgression frequencies_of(const Parameters& p, const Channels& channels) {
    return {.base = p.real("base"),
            .step = channels.is_per_channel ? 1.0 : 2.0,
            .width = channels.width,
            .shift = p.real("denom-shift"),
            .scale = p.real("freq-scale"),
            .count = channels.frequencies()};
}

/// The changes to the sines and cosines, in this order.
struct Finish {
    std::optional<double> standardize;
    std::optional<std::int64_t> zero_row;  ///< counted among the rows of positions
    std::int64_t prefix_rows;
};

/// Returns the row of the position that --zero-row names; nothing if there is none.
std::optional<std::int64_t> zero_row_of(const Parameters& p, const Positions& positions) {
    if (!p.has("zero-row")) return std::nullopt;
    const std::int64_t row = positions.find(static_cast<double>(p.integer("zero-row")));
    return row < 0 ? std::nullopt : std::optional(row);
}

Finish finish_of(const Parameters& p, const Positions& positions) {
    return {
        .standardize = p.has("standardize") ? std::optional(p.real("standardize")) : std::nullopt,
        .zero_row = zero_row_of(p, positions),
        .prefix_rows = p.integer("prefix-rows")};
}

void check_odd(const Parameters& p) {
    const std::int64_t d = p.integer("d");
    if (d % 2 == 0 || p.word("odd") != "error") return;
    const std::string less = d > 1 ? fmt::format("{}, ", d - 1) : "";
    throw UsageError(fmt::format("--d {}: must be even with --odd error; use {}{} or --odd exact",
                                 d, less, d + 1));
}

void check_channels(const Channels& channels, double denom_shift) {
    check_pairs(channels.has_halves, channels.is_per_channel);
    if (channels.frequencies() > 1 && !(static_cast<double>(channels.width) > denom_shift)) {
        throw UsageError(
            fmt::format("--denom-shift {}: must be less than {}, the d it is taken from",
                        shortest(denom_shift), channels.width));
    }
}

void check_arith(const Parameters& p, std::string_view table) {
    check_rounded(p);
    if (is_exact(p)) return;
    const std::string& arith = p.word("arith");
    if (table != "encoding") {
        throw UsageError(fmt::format(
            "--arith {}: is for --table encoding, not {}; use --arith exact", arith, table));
    }
    if (p.has("standardize")) {
        throw UsageError(fmt::format(
            "--standardize: must be left out with --arith {}; use --arith exact", arith));
    }
}

Parameters resolved(Parameters p) {
    p = resolve_positions(std::move(p));
    check_odd(p);
    check_channels(channels_of(p), p.real("denom-shift"));
    return p;
}

/// Returns the frequencies as the most copied code computes them: the quotient in double, then
/// exp(k * quotient) in float32.
std::vector<float> float32_exponentials(const GeometricProgression& frequencies) {
    const double logarithm = nearest_double(log(numerics::Real(frequencies.base)));
    const double width = static_cast<double>(frequencies.width) - frequencies.shift;
    const auto quotient = static_cast<float>(-logarithm / width);
    std::vector<float> result{1.0F};
    for (std::int64_t k = 1; k < frequencies.count; ++k) {
        const auto u = static_cast<float>(frequencies.step * static_cast<double>(k));
        result.push_back(numerics::float32_exp(u * quotient));
    }
    return checked_frequencies(std::move(result));
}

/// Returns the sines and cosines before they are finished.
Waves waves_of(const Parameters& p) {
    const Channels channels = channels_of(p);
    const Positions positions = positions_of(p);
    const GeometricProgression progression = frequencies_of(p, channels);
    Waves waves =
        geometric_waves(p, positions, layout_of(channels), progression, "--base, --freq-scale");
    waves.scale = p.real("out-scale");
    waves.scale_name = "out-scale";
    if (!is_exact(p) && p.word("arith") != "float32-pow") {
        waves.float32 = [=] {
            return angles_by(p, positions, float32_exponentials(progression),
                             to_float32("freq-scale", progression.scale));
        };
    }
    return waves;
}

Rows finished_rows(Rows rows, const Finish& finish, DType dtype) {
    if (finish.standardize) rows = rows::standardized(rows, *finish.standardize, dtype);
    if (finish.zero_row) rows = rows::with_zero_row(rows, *finish.zero_row);
    return finish.prefix_rows > 0 ? rows::with_zero_rows_before(rows, finish.prefix_rows) : rows;
}

/// Returns the cell with the formula of the standardized value. Its value is null, since the mean
/// and the deviation need the whole table.
Cell standardized(Cell cell, double factor) {
    if (!cell.value.text.empty()) {
        cell.value.text =
            fmt::format("({} - mean) / ({} * deviation)", cell.value.text, shortest(factor));
    }
    cell.value.value = nullptr;
    return cell;
}

Cell finished_cell(const Waves& waves, const Finish& finish, std::span<const std::int64_t> index) {
    const std::int64_t row = index[0] - finish.prefix_rows;
    if (row < 0) return zero_cell("The row is one of --prefix-rows, which are zero.");
    if (row == finish.zero_row) return zero_cell("The row is that of --zero-row, which is zero.");
    const Cell cell = cell_of(waves, row, index[1]);
    return finish.standardize ? standardized(cell, *finish.standardize) : cell;
}

Plan encoding_plan(const Parameters& p) {
    const Waves waves = waves_of(p);
    check_narrow_angles(p, waves.positions, waves.frequencies);
    const Finish finish = finish_of(p, waves.positions);
    return {.parameters = p,
            .shape = {finish.prefix_rows + waves.positions.size(), waves.layout.channels},
            .axes = {position_axis(waves.positions, finish.prefix_rows), channel_axis()},
            .make_rows =
                [=](DType dtype) {
                    const Rows rows = wave_rows(waves, finish.standardize ? DType::float64 : dtype);
                    return finished_rows(rows, finish, dtype);
                },
            .pairs = pairs_of(channels_of(p)),
            .cell =
                [=](std::span<const std::int64_t> index) {
                    return finished_cell(waves, finish, index);
                }};
}

Plan plan(Parameters given, std::string_view table) {
    Parameters p = resolved(std::move(given));
    check_arith(p, table);
    if (table == "encoding") return encoding_plan(p);
    const GeometricProgression frequencies = frequencies_of(p, channels_of(p));
    return frequency_plan(
        std::move(p), table, frequencies.count, [=] { return Frequencies(frequencies); },
        [=](std::int64_t k) { return frequency_term(frequencies, k); });
}

std::string formula_of(const Parameters& p) {
    const Channels channels = channels_of(p);
    const bool is_sin_first = channels.first == Function::sin;
    const char* const first = is_sin_first ? "sin" : "cos";
    const char* const second = is_sin_first ? "cos" : "sin";
    const auto wave = [&](const char* function, std::string_view exponent) {
        return wave_text(p, function, {"pos", exponent, "d"});
    };
    const std::string position =
        progression_text(to_string(p.value("start")), to_string(p.value("step")), "row");
    const std::string counted = position == "row" ? "" : fmt::format("pos = {}\n", position);
    if (channels.is_per_channel) {
        return fmt::format("PE[pos, j] = {}, j even\nPE[pos, j] = {}, j odd\n{}", wave(first, "j"),
                           wave(second, "j"), counted);
    }
    return fmt::format("PE[pos, {}] = {}\nPE[pos, {}] = {}\n{}",
                       channels.has_halves ? "i      " : "2i    ", wave(first, "2i"),
                       channels.has_halves ? "d/2 + i" : "2i + 1", wave(second, "2i"), counted);
}

constexpr std::array tables{
    TableSpec{.name = "encoding",
              .summary = "the encoding, (len, d)",
              .title = "Positional Encoding (d_model={d}, max_len={len})",
              .value_label = "Positional Encoding Values",
              .promises = "unique bounded rotation offset spacing"},
    TableSpec{.name = "frequencies",
              .summary = "omega of each pair (or channel), in radians per position",
              .title = "Frequencies (d_model={d}, base={base})",
              .value_label = "Radians per Position",
              .idle_parameters = "keep-channels view",
              .has_frequencies = true,
              .has_powers = true},
    TableSpec{.name = "wavelengths",
              .summary = "2 pi / omega of each pair (or channel), in positions",
              .title = "Wavelengths (d_model={d}, base={base})",
              .value_label = "Positions per Turn",
              .idle_parameters = "keep-channels view",
              .has_powers = true},
};

constexpr std::array sinusoid_presets{
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
               .aliases = "matcha-tts",
               .settings =
                   "--layout halves --denom-shift 2 --d 64 --len 101 --step 0.01 --freq-scale "
                   "1000",
               .summary = "Grad-TTS' SinusoidalPosEmb of times from 0 to 1, also Matcha-TTS'",
               .source = "huawei-noah/Speech-Backbones, Grad-TTS/model/diffusion.py, "
                         "SinusoidalPosEmb",
               .note = "ddpm, with times that are multiplied by pe_scale, 1000, first. Matcha-TTS "
                       "has --d 160."},
    PresetSpec{.name = "guided-diffusion",
               .aliases =
                   "dit-timestep glide latent-diffusion ggml keras-cv tinygrad wan-time u-vit "
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

}  // namespace

/// With shared pairing, a sine and a cosine share each frequency; with per-channel pairing each
/// channel has its own frequency. If d is odd, the d of the formula is d - 1 with --odd zero-pad
/// and d + 1 with round-up. The exponent of the first frequency is 0 even if the denominator is not
/// positive. Layout interleaved is sin, cos, sin, cos ...; halves is all sines, then all cosines.
/// With --first cos each cosine comes before its sine.
///
/// Tables: encoding (prefix-rows + len, d), axes (position, channel); frequencies, wavelengths
/// (frequency,), in radians per position and positions per turn.
/// Correctly rounded, with two exceptions: --standardize X is computed in double, with errors
/// measured below 1e-13 in each value times X; --arith float32 and float32-pow round at every step.
/// The changes to the values are applied in this order: out-scale, standardize, zero-row,
/// prefix-rows.
extern constinit const Encoding sinusoid{
    .name = "sinusoid",
    .summary = "sines and cosines of geometrically spaced frequencies: the original Transformer",
    .formula =
        "out-scale * f(pos * freq-scale * base^(-u / (d - denom-shift))), f = sin, cos,\n"
        "u = 2i for pair i, or the channel with --pairing per-channel",
    .formula_of = formula_of,
    .source = "Vaswani et al. 2017, Attention Is All You Need, arXiv:1706.03762, section 3.5",
    .examples =
        "sinusoid --d 10 --len 4\n"
        "sinusoid --d 128 --len 400 --png out.png\n"
        "sinusoid --d 512 --len 4096 --npy table.npy --csv table.csv",
    .parameters = parameters,
    .tables = tables,
    .presets = sinusoid_presets,
    .plan = plan};

}  // namespace pegen::encodings

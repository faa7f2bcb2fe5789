#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/error.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/channel_parameters.h"
#include "encodings/parameters/checks.h"
#include "encodings/parameters/frequency_tables.h"
#include "encodings/parameters/position_parameters.h"
#include "encodings/parameters/positions_file.h"
#include "encodings/rotary/config/model_config.h"
#include "encodings/rotary/config/report.h"
#include "encodings/rotary/float32_scaling.h"
#include "encodings/rotary/rope_presets.h"
#include "encodings/rotary/rope_recognition.h"
#include "encodings/rotary/rope_tables.h"
#include "encodings/rotary/rotary_parameters.h"
#include "encodings/rotary/scaling.h"
#include "numerics/angles.h"
#include "numerics/sinusoid.h"

namespace pegen::encodings {
namespace {

using numerics::Frequencies;
using numerics::Function;

/// Without the alias seq-len, which is a parameter of the scaling here.
constexpr ParameterSpec rope_len_parameter = [] {
    ParameterSpec spec = len_parameter;
    spec.aliases = "n max-len length max-length n-positions num-positions";
    return spec;
}();

constexpr std::array own_parameters{
    rope_len_parameter,
    ParameterSpec{.name = "d",
                  .aliases = "d head-dim dim d-head size-per-head",
                  .type = ParameterType::integer,
                  .default_value = "128",
                  .range = any_channel_count,
                  .summary = "channels of a head",
                  .is_extent = true},
    ParameterSpec{.name = "partial-rotary-factor",
                  .aliases = "rotary-pct rotary-percent",
                  .default_value = "1",
                  .range = {.lowest = 0, .highest = 1, .lowest_is_open = true},
                  .summary = "fraction of a head's channels that is rotated"},
    ParameterSpec{.name = "rotary-dim",
                  .aliases = "rotary-ndims",
                  .type = ParameterType::integer,
                  .range = any_channel_count,
                  .summary = "number of rotated channels [d times --partial-rotary-factor]"},
    ParameterSpec{.name = "base",
                  .aliases = "theta rope-theta rotary-base rotary-emb-base freq-base temperature "
                             "max-wavelength",
                  .default_value = "10000",
                  .range = positive,
                  .summary = "ratio of the longest to the shortest wavelength (about)"},
    rotary_layout_parameter,
    ParameterSpec{.name = "pairing",
                  .type = ParameterType::word,
                  .default_value = "half",
                  .choices = "half interleaved",
                  .summary = "which channels are rotated together: m and m + r/2, or 2m and 2m + "
                             "1; for --table rotation and for apply"},
    start_parameter,
    step_parameter,
    positions_parameter,
    positions_file_parameter,
    reverse_parameter,
    arith_parameter("exact float32 ggml",
                    "the exact formula, or the float32 arithmetic of Hugging Face's code, or of "
                    "llama.cpp (ggml)"),
    config_parameter,
    layer_type_parameter,
};

constexpr std::array parameters =
    joined(own_parameters, scaling_parameters, std::array{keep_channels_parameter, view_parameter});

Parameters resolve_dim(Parameters p) {
    const std::int64_t d = p.integer("d");
    const double factor = p.real("partial-rotary-factor");
    // Proportional takes the factor for a part of the frequencies.
    const bool is_whole = factor == 1 || p.word("scaling") == "proportional";
    const std::int64_t share =
        is_whole ? d : static_cast<std::int64_t>(factor * static_cast<double>(d));
    const bool is_given = p.has("rotary-dim");
    const std::int64_t dim = is_given ? p.integer("rotary-dim") : share;
    if (dim < 1 || dim % 2 != 0) {
        const char* const cause = is_given   ? "rotary-dim"
                                  : is_whole ? "d"
                                             : "partial-rotary-factor";
        throw UsageError(fmt::format(
            "--{} {}: the rotary dimension is {} and must be even, since channels turn in pairs",
            cause, to_string(p.value(cause)), dim));
    }
    if (!is_whole && dim != share) {
        throw UsageError(
            fmt::format("--partial-rotary-factor {}: means {} of {} channels, and --rotary-dim "
                        "says {}; give one of them",
                        to_string(p.value("partial-rotary-factor")), share, d, dim));
    }
    if (dim > d) {
        throw UsageError(fmt::format("--rotary-dim {}: must be at most --d, {}", dim, d));
    }
    p.resolve("rotary-dim", dim);
    return p;
}

Rope rope_of(const Parameters& p, const Positions& positions) {
    const double longest = positions.largest() + 1;
    return {.dim = p.integer("rotary-dim"),
            .base = p.real("base"),
            .rotated_share = p.real("partial-rotary-factor"),
            .positions = static_cast<std::int64_t>(std::min(longest, two_to_53))};
}

/// Returns the form of the matrix that turns `dim` channels. Pair m is m and m + dim / 2 if
/// `is_half`, else 2m and 2m + 1.
RotaryForm rotation_form(std::int64_t dim, bool is_half) {
    const std::int64_t stride = (is_half ? 1 : 2) * (dim + 1), apart = is_half ? dim / 2 : 1;
    return {{dim, dim},
            {{.kind = AxisKind::channel, .name = "output", .label = "Channel of the Result"},
             {.kind = AxisKind::channel, .name = "input", .label = "Channel before Rotation"}},
            {{Function::cos, 0, stride},
             {Function::sin, apart, stride, true},
             {Function::sin, apart * dim, stride},
             {Function::cos, apart * (dim + 1), stride}}};
}

RotaryForm form_of(const Parameters& p, std::string_view table) {
    const std::int64_t dim = p.integer("rotary-dim");
    if (table == "angles") return {{dim / 2}, {frequency_axis()}, {}};
    if (table == "rotation") return rotation_form(dim, p.word("pairing") == "half");
    return rotary_form(table, table == "sin-cos" ? "single" : p.word("layout"), dim / 2);
}

constexpr std::string_view angle_options = "--base, --start, --step, --positions";

Frequencies exact_frequencies(const Parameters& p, const Rope& rope) {
    return Frequencies([=] { return scaled_frequencies(p, rope); });
}

double attention_factor(const Parameters& p) {
    return p.has("attention-factor") ? p.real("attention-factor") : 1.0;
}

RowSource wave_rows(const Parameters& p, const Positions& positions, const Rope& rope,
                    const RotaryForm& form, DType dtype) {
    const Frequencies omega = turning_frequencies(form, exact_frequencies(p, rope));
    check_angles(positions, omega, angle_options);
    const double factor = attention_factor(p);
    check_holds(dtype, factor, "the largest value");
    const numerics::ChannelLayout layout = turning_layout(form, {{0, rope.dim / 2}});
    if (is_exact(p)) return numerics::sinusoid_rows(positions, omega, layout, factor, dtype);
    numerics::Float32Angles angles = float32_angles(p, rope, positions);
    if (form.has_negatives()) angles = with_negatives(std::move(angles));
    return numerics::float32_wave_rows(std::move(angles), layout,
                                       to_float32("attention-factor", factor), dtype);
}

RowSource angle_rows(const Parameters& p, const Positions& positions, const Rope& rope,
                     DType dtype) {
    const Frequencies omega = exact_frequencies(p, rope);
    check_holds(dtype, omega.largest() * positions.largest(), "the largest angle");
    if (is_exact(p)) return numerics::angle_rows(positions, omega, dtype);
    check_angles(positions, omega, angle_options);
    return numerics::float32_angle_rows(float32_angles(p, rope, positions), dtype);
}

Frequencies inverse_frequencies(const Parameters& p, const Rope& rope) {
    if (is_exact(p)) return exact_frequencies(p, rope);
    return exactly(float32_frequencies(p, rope));
}

/// Returns the frequencies that --table wavelengths divides by.
Frequencies divisors(const Parameters& p, const Rope& rope) {
    Frequencies omega = exact_frequencies(p, rope);
    if (omega.smallest() != 0) return omega;
    throw UsageError(
        "--table wavelengths: frequencies of 0, as of --scaling proportional, have no "
        "wavelength; use --table inv-freq");
}

/// Returns the exact frequencies, as a power of the base where they are not scaled.
FrequencyTerms terms_of(const Parameters& p, const Rope& rope) {
    if (p.word("scaling") != "none" && p.word("scaling") != "default") {
        return digits_terms([=] { return exact_frequencies(p, rope); });
    }
    return [progression = numerics::paired_progression(rope.base, rope.dim)](std::int64_t k) {
        return frequency_term(progression, k);
    };
}

/// Returns the cell of value number `value` of a row.
Cell cell_of(const Parameters& p, const Rope& rope, const RotaryForm& form, const Term& position,
             std::int64_t value) {
    const FrequencyTerms frequencies = terms_of(p, rope);
    if (form.places.empty()) return angle_cell(position, frequencies(value), value);
    return turning_cell(
        form, {{0, rope.dim / 2}}, value, attention_factor(p),
        [&](std::int64_t) { return position; }, frequencies);
}

Plan table_plan(const Parameters& p, std::string_view table, const Positions& positions,
                const Rope& rope) {
    if (table == "inv-freq" || table == "wavelengths") {
        const auto frequencies = table == "inv-freq" ? inverse_frequencies : divisors;
        return frequency_plan(
            p, table, rope.dim / 2, [=] { return frequencies(p, rope); }, terms_of(p, rope));
    }
    const RotaryForm form = form_of(p, table);
    return rotary_plan(
        p, positions.size(), position_axis(positions), form,
        [=, is_of_angles = table == "angles"](DType dtype) {
            return is_of_angles ? angle_rows(p, positions, rope, dtype)
                                : wave_rows(p, positions, rope, form, dtype);
        },
        [=](std::int64_t row, std::int64_t value) {
            return cell_of(p, rope, form, number_term(positions[row]), value);
        });
}

Plan plan_of(Parameters p, std::string_view table) {
    p = resolve_dim(resolve_positions(std::move(p)));
    const Positions positions = positions_of(p);
    const Rope rope = rope_of(p, positions);
    p = resolve_scaling(std::move(p), rope);
    check_arith(p, table);
    // The file may change: what came from it is recorded, not its name.
    p.resolve("config", {});
    p.resolve("layer-type", {});
    return table_plan(p, table, positions, rope);
}

/// Throws: FormatError if the configuration is not possible without the user's options, either.
void check_alone(const ModelConfig& config) {
    try {
        const Plan alone = plan_of(with_config(Parameters(parameters), config), "cos");
        alone.make_rows(DType::float64);
    } catch (const UsageError& error) {
        blame(config, error);
    }
}

/// Returns what `make` returns. Throws: FormatError in the place of a UsageError that is the
/// configuration's fault.
template <typename Make>
auto made_of(const ModelConfig& config, const Make& make) {
    try {
        return make();
    } catch (const UsageError&) {
        check_alone(config);
        throw;
    }
}

Plan plan_with(const ModelConfig& config, const Parameters& p, std::string_view table) {
    Plan result = made_of(config, [&] { return plan_of(with_config(p, config), table); });
    result.notes = {summary(config, result.parameters)};
    result.make_rows = [config, make_rows = result.make_rows](DType dtype) {
        return made_of(config, [&] { return make_rows(dtype); });
    };
    return result;
}

Plan plan(Parameters p, std::string_view table) {
    const std::optional<ModelConfig> config = config_of(p);
    return config ? plan_with(*config, p, table) : plan_of(std::move(p), table);
}

constexpr std::array tables{
    TableSpec{.name = "cos",
              .summary = "A cos(pos w), (len, rotary-dim), or half as wide with --layout single",
              .title = "RoPE, Cosines (d={rotary-dim}, max_len={len})",
              .value_label = "cos",
              .promises = "bounded",
              .scored_by = "sin-cos"},
    TableSpec{.name = "sin",
              .summary = "A sin(pos w), likewise",
              .title = "RoPE, Sines (d={rotary-dim}, max_len={len})",
              .value_label = "sin",
              .promises = "bounded",
              .scored_by = "sin-cos"},
    TableSpec{.name = "inv-freq",
              .summary = "w, the frequency of each pair, scaled, (rotary-dim / 2,)",
              .title = "RoPE, Inverse Frequencies (d={rotary-dim})",
              .value_label = "Radians per Position",
              .idle_parameters = "keep-channels view"},
    TableSpec{.name = "angles",
              .summary = "pos w, (len, rotary-dim / 2)",
              .title = "RoPE, Angles (d={rotary-dim}, max_len={len})",
              .value_label = "Radians",
              .idle_parameters = "keep-channels view",
              .scored_by = "sin-cos"},
    TableSpec{.name = "freqs-cis",
              .summary = "A cos and A sin side by side: real and imaginary parts of complex "
                         "numbers, (len, rotary-dim / 2, 2)",
              .title = "RoPE, cos + i sin (d={rotary-dim}, max_len={len})",
              .value_label = "cos, sin",
              .idle_parameters = "keep-channels view",
              .promises = "unique bounded rotation offset spacing"},
    TableSpec{
        .name = "sin-cos",
        .summary =
            "all sines, then all cosines, as GPT-J and RoFormer store them, (len, rotary-dim)",
        .title = "RoPE, sin | cos (d={rotary-dim}, max_len={len})",
        .value_label = "sin, cos",
        .promises = "unique bounded rotation offset spacing"},
    TableSpec{.name = "matrices",
              .summary = "[[cos, -sin], [sin, cos]] of each pair, as Flux stores them, (len, "
                         "rotary-dim / 2, 2, 2)",
              .title = "RoPE, Rotation Matrices (d={rotary-dim}, max_len={len})",
              .value_label = "Matrix Elements",
              .idle_parameters = "keep-channels view",
              .promises = "unique bounded rotation offset spacing"},
    TableSpec{
        .name = "rotation",
        .summary = "the matrix that rotates a head, by --pairing, (len, rotary-dim, rotary-dim)",
        .title = "RoPE, Rotation (d={rotary-dim}, pairing={pairing})",
        .value_label = "Matrix Elements",
        .idle_parameters = "keep-channels view",
        .promises = "bounded"},
    TableSpec{.name = "wavelengths",
              .summary = "2 pi / w, (rotary-dim / 2,)",
              .title = "RoPE, Wavelengths (d={rotary-dim})",
              .value_label = "Positions",
              .idle_parameters = "keep-channels view"},
};

FileDescription describe_config(const Parameters& given) {
    const ModelConfig config = config_of(given).value();
    return description(config, plan_with(config, given, tables.front().name).parameters);
}

}  // namespace

/// The tables that turn pairs of a head's channels: y_a = x_a cos - x_b sin, y_b = x_a sin + x_b
/// cos. Which channels are a pair is in the table rotation alone: m and m + rotary-dim / 2 (half,
/// as GPT-NeoX), or 2m and 2m + 1 (interleaved, as GPT-J); --layout only says where the values
/// stand. Positions count from 0. A is the attention factor of yarn and longrope, else 1.
///
/// Tables: cos, sin and sin-cos (position, channel), inv-freq and wavelengths (frequency), angles
/// (position, frequency), freqs-cis (position, frequency, function), matrices (position, frequency,
/// output, input), rotation (position, output, input). Correctly rounded; the attention factor is
/// the nearest double to its formula. --arith float32 and ggml are rounded at every step, as the
/// code they are named after does it.
extern constinit const Encoding rope{
    .name = "rope",
    .summary = "rotary positions: cosines and sines that rotate pairs of channels",
    .formula =
        "w[m]        = base^(-2m / r), m = 0 ... r/2 - 1, changed by --scaling\n"
        "cos[pos, m] = A cos(pos * w[m])\n"
        "sin[pos, m] = A sin(pos * w[m])\n"
        "r = rotary-dim; A = 1, but of yarn and longrope the attention factor",
    .source = "Su et al. 2021, RoFormer, arXiv:2104.09864, section 3.2.2",
    .examples =
        "rope --d 16 --len 6 --table cos\n"
        "rope --d 128 --len 400 --layout half --table sin --png sin.png\n"
        "rope --d 128 --base 500000 --scaling linear --factor 4 --table inv-freq",
    .parameters = parameters,
    .tables = tables,
    .presets = rope_presets,
    .plan = plan,
    .describe_config = describe_config,
    .recognize = recognize_rope};

}  // namespace pegen::encodings

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/error.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/channel_parameters.h"
#include "encodings/parameters/checks.h"
#include "encodings/parameters/position_parameters.h"
#include "encodings/rotary/config_report.h"
#include "encodings/rotary/float32_scaling.h"
#include "encodings/rotary/model_config.h"
#include "encodings/rotary/rope_presets.h"
#include "encodings/rotary/scaling.h"
#include "numerics/angles.h"
#include "numerics/sinusoid.h"
#include "rows/divided.h"

namespace pegen::encodings {
namespace {

using numerics::ChannelLayout;
using numerics::Frequencies;
using numerics::Function;

constexpr std::array own_parameters{
    len_parameter,
    ParameterSpec{.name = "d",
                  .aliases = "head-dim dim d-head size-per-head",
                  .type = ParameterType::integer,
                  .default_value = "128",
                  .range = any_channel_count,
                  .summary = "channels of a head",
                  .is_extent = true},
    ParameterSpec{.name = "partial-rotary-factor",
                  .aliases = "rotary-pct rotary-percent",
                  .default_value = "1",
                  .range = {.lowest = 0, .highest = 1, .lowest_is_open = true},
                  .summary = "the part of a head that is rotated"},
    ParameterSpec{.name = "rotary-dim",
                  .aliases = "rotary-ndims",
                  .type = ParameterType::integer,
                  .range = any_channel_count,
                  .summary = "channels that are rotated; d times --partial-rotary-factor unless "
                             "given"},
    ParameterSpec{.name = "base",
                  .aliases = "theta rope-theta rotary-base rotary-emb-base freq-base temperature "
                             "max-wavelength",
                  .default_value = "10000",
                  .range = positive,
                  .summary = "ratio of the slowest to the fastest wavelength"},
    ParameterSpec{.name = "layout",
                  .type = ParameterType::word,
                  .default_value = "half",
                  .choices = "half interleaved single",
                  .summary = "of cos and sin: all frequencies twice, each twice, or once"},
    ParameterSpec{.name = "pairing",
                  .type = ParameterType::word,
                  .default_value = "half",
                  .choices = "half interleaved",
                  .summary = "the channels that turn together: m and m + r/2, or 2m and 2m + 1; of "
                             "--table rotation and of apply"},
    start_parameter,
    step_parameter,
    positions_parameter,
    reverse_parameter,
    arith_parameter("exact float32 ggml",
                    "the formula, or float32 angles with their errors: of Hugging Face's code, or "
                    "multiplied up as in llama.cpp"),
    config_parameter,
    layer_type_parameter,
};

constexpr std::array parameters = joined(own_parameters, scaling_parameters);

std::int64_t rotary_dim(const Parameters& p) {
    if (p.has("rotary-dim")) return p.integer("rotary-dim");
    if (p.word("scaling") == "proportional") return p.integer("d");
    const double share = p.real("partial-rotary-factor") * static_cast<double>(p.integer("d"));
    return static_cast<std::int64_t>(share);
}

Parameters resolve_dim(Parameters p) {
    const std::int64_t dim = rotary_dim(p);
    if (dim < 1 || dim % 2 != 0) {
        throw UsageError(fmt::format(
            "--{} {}: the rotary dimension is {} and must be even, since channels turn in pairs",
            p.has("rotary-dim") ? "rotary-dim" : "d", p.has("rotary-dim") ? dim : p.integer("d"),
            dim));
    }
    const double share = p.real("partial-rotary-factor") * static_cast<double>(p.integer("d"));
    const bool is_share =
        p.word("scaling") == "proportional" || p.real("partial-rotary-factor") == 1;
    if (!is_share && dim != static_cast<std::int64_t>(share)) {
        throw UsageError(
            fmt::format("--partial-rotary-factor {}: means {} of {} channels, and --rotary-dim "
                        "says {}; give one "
                        "of them",
                        to_string(p.value("partial-rotary-factor")),
                        static_cast<std::int64_t>(share), p.integer("d"), dim));
    }
    if (dim > p.integer("d")) {
        throw UsageError(
            fmt::format("--rotary-dim {}: must be at most --d, {}", dim, p.integer("d")));
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

/// Returns the layout of one function in a table of cos or sin.
ChannelLayout layout_of(Function function, std::string_view layout, std::int64_t dim) {
    if (layout == "single") return numerics::only(function, dim / 2);
    return layout == "half" ? numerics::both_halves(function, dim)
                            : numerics::both_of_pairs(function, dim);
}

/// The matrices [[cos, -sin], [sin, cos]] of frequencies that are followed by their negatives.
ChannelLayout matrices(std::int64_t pairs) {
    const auto run = [pairs](Function function, std::int64_t channel, std::int64_t frequency) {
        return numerics::ChannelRun{.function = function,
                                    .first_channel = channel,
                                    .channel_stride = 4,
                                    .first_frequency = frequency,
                                    .count = pairs};
    };
    return {4 * pairs,
            {run(Function::cos, 0, 0), run(Function::sin, 1, pairs), run(Function::sin, 2, 0),
             run(Function::cos, 3, 0)}};
}

/// The channels of pair m are first + m * stride and those `apart` behind them.
struct Pairing {
    std::int64_t stride;
    std::int64_t apart;
};

/// The whole rotation, dim x dim, of frequencies that are followed by their negatives.
ChannelLayout rotation(std::int64_t dim, Pairing pairing) {
    const std::int64_t pairs = dim / 2;
    const auto run = [&](Function function, std::int64_t output, std::int64_t input,
                         std::int64_t frequency) {
        return numerics::ChannelRun{.function = function,
                                    .first_channel = output * dim + input,
                                    .channel_stride = pairing.stride * (dim + 1),
                                    .first_frequency = frequency,
                                    .count = pairs};
    };
    return {dim * dim,
            {run(Function::cos, 0, 0, 0), run(Function::sin, 0, pairing.apart, pairs),
             run(Function::sin, pairing.apart, 0, 0),
             run(Function::cos, pairing.apart, pairing.apart, 0)}};
}

std::vector<numerics::Real> with_negatives(std::vector<numerics::Real> frequencies) {
    const std::size_t count = frequencies.size();
    for (std::size_t m = 0; m < count; ++m) frequencies.push_back(-frequencies[m]);
    return frequencies;
}

Axis frequency_axis() {
    return {.kind = AxisKind::frequency, .name = "frequency", .label = "Frequency Index"};
}

/// The shape of the table `name`, and how a row for each position holds its values.
struct Form {
    Shape shape;
    std::vector<Axis> axes;
    ChannelLayout layout{};      ///< of a row for each position
    std::int64_t rows = 1;       ///< of the table, for each position
    bool has_negatives = false;  ///< of the frequencies
};

Form form_of(std::string_view name, const Parameters& p, const Positions& positions) {
    const std::int64_t len = positions.size(), dim = p.integer("rotary-dim"), pairs = dim / 2;
    const auto function_axis = [](std::vector<std::string> names) {
        return Axis{.kind = AxisKind::function,
                    .name = "function",
                    .label = "Function",
                    .index_names = std::move(names)};
    };
    if (name == "freqs-cis") {
        return {{len, pairs, 2},
                {position_axis(positions), frequency_axis(), function_axis({"cos", "sin"})},
                numerics::interleaved(dim, Function::cos),
                pairs};
    }
    if (name == "rotation") {
        const bool is_half = p.word("pairing") == "half";
        return {{len, dim, dim},
                {position_axis(positions),
                 {.kind = AxisKind::channel, .name = "output", .label = "Channel of the Result"},
                 {.kind = AxisKind::channel, .name = "input", .label = "Channel before Rotation"}},
                rotation(dim, is_half ? Pairing{1, pairs} : Pairing{2, 1}),
                dim,
                true};
    }
    if (name == "matrices") {
        return {{len, pairs, 2, 2},
                {position_axis(positions),
                 frequency_axis(),
                 {.kind = AxisKind::channel, .name = "output", .label = "Output"},
                 {.kind = AxisKind::channel, .name = "input", .label = "Input"}},
                matrices(pairs),
                2 * pairs,
                true};
    }
    ChannelLayout layout =
        name == "sin-cos"
            ? numerics::halves(dim)
            : layout_of(name == "cos" ? Function::cos : Function::sin, p.word("layout"), dim);
    return {{len, layout.channels},
            {position_axis(positions), channel_axis("Channel of a Head")},
            layout};
}

RowSource wave_rows(const Parameters& p, const Positions& positions, const Rope& rope,
                    const Form& form, DType dtype) {
    std::vector<numerics::Real> reals = scaled_frequencies(p, rope);
    if (form.has_negatives) reals = with_negatives(std::move(reals));
    const Frequencies omega(std::move(reals));
    check_angles(positions, omega, "--base, --start, --step, --positions");
    const double factor = p.has("attention-factor") ? p.real("attention-factor") : 1.0;
    check_holds(dtype, factor, "the largest value");
    if (is_exact(p)) return numerics::sinusoid_rows(positions, omega, form.layout, factor, dtype);
    numerics::Float32Angles angles = float32_angles(p, rope);
    if (form.has_negatives) angles = with_negatives(std::move(angles));
    return numerics::float32_wave_rows(positions, std::move(angles), form.layout,
                                       to_float32("attention-factor", factor), dtype);
}

Plan rotation_plan(Parameters p, std::string_view table, const Positions& positions,
                   const Rope& rope) {
    const Form form = form_of(table, p, positions);
    return {.parameters = p,
            .shape = form.shape,
            .axes = form.axes,
            .make_rows = [=](DType dtype, const Progress&) {
                const RowSource rows = wave_rows(p, positions, rope, form, dtype);
                if (form.rows == 1) return rows;
                return rows::divided(
                    rows, form.rows,
                    form.layout.channels * static_cast<std::int64_t>(info(dtype).size));
            }};
}

Plan angle_plan(Parameters p, const Positions& positions, const Rope& rope) {
    return {.parameters = p,
            .shape = {positions.size(), rope.dim / 2},
            .axes = {position_axis(positions), frequency_axis()},
            .make_rows = [=](DType dtype, const Progress&) {
                const Frequencies omega(scaled_frequencies(p, rope));
                check_holds(dtype, omega.largest() * positions.largest(), "the largest angle");
                if (!is_exact(p)) {
                    check_angles(positions, omega, "--base, --start, --step, --positions");
                    return numerics::float32_angle_rows(positions, float32_angles(p, rope), dtype);
                }
                return numerics::angle_rows(positions, omega, dtype);
            }};
}

Frequencies frequencies_of(const Parameters& p, const Rope& rope) {
    if (is_exact(p)) return Frequencies(scaled_frequencies(p, rope));
    const std::vector<float> frequencies = float32_frequencies(p, rope);
    return Frequencies(std::vector<numerics::Real>(frequencies.begin(), frequencies.end()));
}

RowSource inverse_frequency_rows(const Frequencies& omega, DType dtype) {
    check_holds(dtype, omega.largest(), "the fastest frequency");
    return numerics::frequency_rows(omega, dtype);
}

RowSource wavelength_rows(const Frequencies& omega, DType dtype) {
    if (omega.smallest() == 0) {
        throw UsageError(
            "--table wavelengths: frequencies of 0, as of --scaling proportional, have no "
            "wavelength; use --table inv-freq");
    }
    check_holds(dtype, 2 * std::numbers::pi / omega.smallest(), "the longest wavelength");
    return numerics::wavelength_rows(omega, dtype);
}

Plan frequency_plan(Parameters p, const Rope& rope, RowSource (*rows)(const Frequencies&, DType)) {
    return {.parameters = p,
            .shape = {rope.dim / 2},
            .axes = {frequency_axis()},
            .make_rows = [=](DType dtype, const Progress&) {
                return rows(frequencies_of(p, rope), dtype);
            }};
}

Plan table_plan(Parameters p, std::string_view table, const Positions& positions,
                const Rope& rope) {
    if (table == "inv-freq") return frequency_plan(std::move(p), rope, inverse_frequency_rows);
    if (table == "wavelengths") return frequency_plan(std::move(p), rope, wavelength_rows);
    if (table == "angles") return angle_plan(std::move(p), positions, rope);
    return rotation_plan(std::move(p), table, positions, rope);
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
        alone.make_rows(DType::float64, ignore_progress);
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
    result.make_rows = [config, make_rows = result.make_rows](DType dtype,
                                                              const Progress& progress) {
        return made_of(config, [&] { return make_rows(dtype, progress); });
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
              .title = "RoPE, Cosines (d={rotary-dim}, len={len})",
              .value_label = "cos"},
    TableSpec{.name = "sin",
              .summary = "A sin(pos w), likewise",
              .title = "RoPE, Sines (d={rotary-dim}, len={len})",
              .value_label = "sin"},
    TableSpec{.name = "inv-freq",
              .summary = "w, the frequency of each pair, scaled, (rotary-dim / 2,)",
              .title = "RoPE, Inverse Frequencies (d={rotary-dim})",
              .value_label = "Radians per Position"},
    TableSpec{.name = "angles",
              .summary = "pos w, (len, rotary-dim / 2)",
              .title = "RoPE, Angles (d={rotary-dim}, len={len})",
              .value_label = "Radians"},
    TableSpec{.name = "freqs-cis",
              .summary = "A cos and A sin side by side: real and imaginary parts of complex "
                         "numbers, (len, rotary-dim / 2, 2)",
              .title = "RoPE, cos + i sin (d={rotary-dim}, len={len})",
              .value_label = "cos, sin"},
    TableSpec{.name = "sin-cos",
              .summary = "all sines, then all cosines, as GPT-J and RoFormer keep them, (len, "
                         "rotary-dim)",
              .title = "RoPE, sin | cos (d={rotary-dim}, len={len})",
              .value_label = "sin, cos"},
    TableSpec{.name = "matrices",
              .summary = "[[cos, -sin], [sin, cos]] of each pair, as Flux keeps them, (len, "
                         "rotary-dim / 2, 2, 2)",
              .title = "RoPE, Rotation Matrices (d={rotary-dim}, len={len})",
              .value_label = "Matrix Elements"},
    TableSpec{
        .name = "rotation",
        .summary = "the matrix that turns a head, by --pairing, (len, rotary-dim, rotary-dim)",
        .title = "RoPE, Rotation (d={rotary-dim}, pairing={pairing})",
        .value_label = "Matrix Elements"},
    TableSpec{.name = "wavelengths",
              .summary = "2 pi / w, (rotary-dim / 2,)",
              .title = "RoPE, Wavelengths (d={rotary-dim})",
              .value_label = "Positions"},
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
    .summary = "rotary positions: cosines and sines that turn pairs of channels",
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
    .describe_config = describe_config};

}  // namespace pegen::encodings

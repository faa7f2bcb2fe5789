#include "encodings/sequence/sinusoid.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "core/number.h"
#include "encodings/parameters/channel_parameters.h"
#include "encodings/parameters/checks.h"
#include "encodings/parameters/formula_text.h"
#include "encodings/parameters/position_parameters.h"
#include "numerics/sinusoid.h"
#include "rows/standardize.h"

namespace pegen::encodings {
namespace {

using numerics::ChannelLayout;
using numerics::Frequencies;
using numerics::Function;

constexpr std::array parameters{
    len_parameter,
    d_parameter,
    ParameterSpec{.name = "base",
                  .aliases = "temperature theta rope-theta max-wavelength max-period max-timescale",
                  .default_value = "10000",
                  .range = positive,
                  .summary = "ratio of the slowest to the fastest wavelength"},
    ParameterSpec{.name = "layout",
                  .type = ParameterType::word,
                  .default_value = "interleaved",
                  .choices = "interleaved halves",
                  .summary = "sin cos sin cos ..., or all sin then all cos"},
    first_parameter,
    ParameterSpec{.name = "denom-shift",
                  .default_value = "0",
                  .summary = "taken from d in the exponent's denominator: 0, 1 or 2"},
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
    reverse_parameter,
    freq_scale_parameter,
    ParameterSpec{.name = "out-scale",
                  .default_value = "1",
                  .choices = "1/sqrt(d) sqrt(2/d)",
                  .summary = "multiplies every value; also 1/sqrt(d) or sqrt(2/d)"},
    ParameterSpec{.name = "standardize",
                  .range = positive,
                  .summary = "(PE - mean) / (X * deviation) over the whole table"},
    ParameterSpec{.name = "zero-row",
                  .type = ParameterType::integer,
                  .range = any_position,
                  .summary = "the row of this position is zero, as for a padding index"},
    prefix_rows_parameter,
};

/// The d of the formula: --odd may compute one channel less or more than are asked for.
std::int64_t width(const Parameters& p) {
    const std::int64_t d = p.integer("d");
    if (p.word("odd") == "zero-pad") return d - d % 2;
    if (p.word("odd") == "round-up") return d + d % 2;
    return d;
}

/// Channels that hold a sin or a cos; the rest is zero.
std::int64_t filled_channels(const Parameters& p) { return std::min(width(p), p.integer("d")); }

bool is_per_channel(const Parameters& p) { return p.word("pairing") == "per-channel"; }

std::int64_t frequency_count(const Parameters& p) {
    return is_per_channel(p) ? filled_channels(p) : (filled_channels(p) + 1) / 2;
}

Frequencies frequencies(const Parameters& p) {
    return Frequencies({.base = p.real("base"),
                        .step = is_per_channel(p) ? 1.0 : 2.0,
                        .width = width(p),
                        .shift = p.real("denom-shift"),
                        .scale = p.real("freq-scale"),
                        .count = frequency_count(p)});
}

ChannelLayout layout(const Parameters& p) {
    const auto make = is_per_channel(p)              ? numerics::alternating
                      : p.word("layout") == "halves" ? numerics::halves
                                                     : numerics::interleaved;
    const Function first = p.word("first") == "sin" ? Function::sin : Function::cos;
    return padded(make(filled_channels(p), first), p.integer("d"));
}

double named_out_scale(const std::string& name, std::int64_t d) {
    return name == "sqrt(2/d)" ? std::sqrt(2.0 / static_cast<double>(d))
                               : 1.0 / std::sqrt(static_cast<double>(d));
}

void check_odd(const Parameters& p) {
    const std::int64_t d = p.integer("d");
    if (d % 2 == 0 || p.word("odd") != "error") return;
    const std::string less = d > 1 ? fmt::format("{}, ", d - 1) : "";
    throw UsageError(fmt::format("--d {}: must be even with --odd error; use {}{} or --odd exact",
                                 d, less, d + 1));
}

Parameters resolve(Parameters p) {
    p = resolve_freq_scale(resolve_positions(std::move(p)));
    check_odd(p);
    if (is_per_channel(p) && p.word("layout") == "halves") {
        throw UsageError(
            "--layout halves: there are no pairs to take apart with --pairing per-channel; "
            "use --layout interleaved");
    }
    const double shift = p.real("denom-shift");
    if (frequency_count(p) > 1 && !(static_cast<double>(width(p)) > shift)) {
        throw UsageError(
            fmt::format("--denom-shift {}: must be less than {}, the d it is taken from",
                        shortest(shift), width(p)));
    }
    if (const auto* name = std::get_if<std::string>(&p.value("out-scale"))) {
        p.resolve("out-scale", named_out_scale(*name, p.integer("d")));
    }
    return p;
}

Shape encoding_shape(const Parameters& p) {
    return {p.integer("prefix-rows") + p.integer("len"), p.integer("d")};
}

RowSource encoding_rows(const Parameters& p, DType dtype, const Progress& progress) {
    const Positions positions = positions_of(p);
    const Frequencies omega = frequencies(p);
    const double out_scale = p.real("out-scale");
    check_angles(positions, omega, "--base, --freq-scale");
    check_holds(dtype, out_scale, "the largest value");

    const std::int64_t d = p.integer("d");
    const bool standardize = p.has("standardize");
    RowSource rows = numerics::sinusoid_rows(positions, omega, layout(p), out_scale,
                                             standardize ? DType::float64 : dtype);
    if (standardize) {
        rows = rows::standardized(std::move(rows), p.integer("len"), d, p.real("standardize"),
                                  dtype, progress);
    }
    const std::int64_t bytes_per_row = d * static_cast<std::int64_t>(info(dtype).size);
    if (p.has("zero-row")) {
        const std::int64_t row = positions.find(static_cast<double>(p.integer("zero-row")));
        if (row >= 0) rows = with_zero_row(std::move(rows), row, bytes_per_row);
    }
    if (p.integer("prefix-rows") > 0) {
        rows = with_zero_rows_before(std::move(rows), p.integer("prefix-rows"), bytes_per_row);
    }
    return rows;
}

Shape frequency_shape(const Parameters& p) { return {frequency_count(p)}; }

RowSource frequency_rows(const Parameters& p, DType dtype) {
    const Frequencies omega = frequencies(p);
    check_holds(dtype, omega.largest(), "the fastest frequency");
    return numerics::frequency_rows(omega, dtype);
}

RowSource wavelength_rows(const Parameters& p, DType dtype) {
    const Frequencies omega = frequencies(p);
    check_holds(dtype, 2 * std::numbers::pi / omega.smallest(), "the longest wavelength");
    return numerics::wavelength_rows(omega, dtype);
}

std::string formula_of(const Parameters& p) {
    const bool sin_first = p.word("first") == "sin";
    const char* const first = sin_first ? "sin" : "cos";
    const char* const second = sin_first ? "cos" : "sin";
    const auto wave = [&](const char* function, std::string_view exponent) {
        return wave_text(p, function, {"pos", exponent, "d"});
    };
    const std::string position =
        progression_text(to_string(p.value("start")), to_string(p.value("step")), "row");
    const std::string counted = position == "row" ? "" : fmt::format("pos = {}\n", position);
    if (is_per_channel(p)) {
        return fmt::format("PE[pos, j] = {}, j even\nPE[pos, j] = {}, j odd\n{}", wave(first, "j"),
                           wave(second, "j"), counted);
    }
    const bool has_halves = p.word("layout") == "halves";
    return fmt::format("PE[pos, {}] = {}\nPE[pos, {}] = {}\n{}", has_halves ? "i      " : "2i    ",
                       wave(first, "2i"), has_halves ? "d/2 + i" : "2i + 1", wave(second, "2i"),
                       counted);
}

constexpr std::array frequency_axes{AxisSpec{AxisKind::frequency, "frequency", "Frequency Index"}};

constexpr std::array tables{
    TableSpec{.name = "encoding",
              .summary = "the encoding, (len, d)",
              .axes = position_channel_axes,
              .title = "Positional Encoding (d_model={d}, max_len={len})",
              .value_label = "Positional Encoding Values",
              .shape = encoding_shape,
              .rows_after_passes = encoding_rows},
    TableSpec{.name = "frequencies",
              .summary = "omega of each pair (or channel), in radians per position",
              .axes = frequency_axes,
              .title = "Frequencies (d_model={d}, base={base})",
              .value_label = "Radians per Position",
              .shape = frequency_shape,
              .rows = frequency_rows},
    TableSpec{.name = "wavelengths",
              .summary = "2 pi / omega of each pair (or channel), in positions",
              .axes = frequency_axes,
              .title = "Wavelengths (d_model={d}, base={base})",
              .value_label = "Positions per Turn",
              .shape = frequency_shape,
              .rows = wavelength_rows},
};

}  // namespace

constinit const Encoding sinusoid{
    .name = "sinusoid",
    .summary = "sines and cosines of geometrically spaced frequencies: the Transformer's encoding",
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
    .resolve = resolve};

}  // namespace pegen::encodings

#include "numerics/sinusoid.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "core/error.h"
#include "core/number.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/channel_parameters.h"
#include "encodings/parameters/checks.h"
#include "encodings/parameters/formula_text.h"
#include "encodings/parameters/frequency_tables.h"
#include "encodings/parameters/position_parameters.h"
#include "encodings/parameters/positions_file.h"
#include "encodings/parameters/wave_cell.h"
#include "encodings/sequence/sinusoid_presets.h"
#include "encodings/sequence/sinusoid_recognition.h"
#include "numerics/float32_angles.h"
#include "numerics/real.h"
#include "rows/standardize.h"
#include "rows/zero_rows.h"

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
                  .summary = "factor for all values, such as 1/sqrt(d)"},
    ParameterSpec{.name = "standardize",
                  .range = positive,
                  .summary = "standardize the whole table: (PE - mean) / (X * deviation)"},
    ParameterSpec{.name = "zero-row",
                  .type = ParameterType::integer,
                  .range = any_position,
                  .summary = "the row of position N is zero, for a padding index"},
    prefix_rows_parameter,
    arith_parameter("exact float32 float32-pow",
                    "the exact formula, or PyTorch's float32 arithmetic, with frequencies "
                    "exp(-log(base) / d * u) or 1 / base^(u / d)"),
};

/// What the parameters say of the channels.
struct Channels {
    std::int64_t d;
    std::int64_t width;   ///< the d of the formula: --odd may compute one channel less or more
    std::int64_t filled;  ///< those that hold a sin or a cos; the rest is zero
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

/// Pairs each sin with its cos, or, if all frequencies differ, with the cos behind it.
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

/// What is done to the sines and cosines, in this order.
struct Finish {
    double out_scale;
    std::optional<double> standardize;
    std::optional<std::int64_t> zero_row;  ///< among the rows of positions
    std::int64_t prefix_rows;
};

/// Returns the row of --zero-row's position, if there is one.
std::optional<std::int64_t> zero_row_of(const Parameters& p, const Positions& positions) {
    if (!p.has("zero-row")) return std::nullopt;
    const std::int64_t row = positions.find(static_cast<double>(p.integer("zero-row")));
    return row < 0 ? std::nullopt : std::optional(row);
}

Finish finish_of(const Parameters& p, const Positions& positions) {
    return {
        .out_scale = p.real("out-scale"),
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

/// Returns the frequencies of the code most projects copied: the quotient in double, then
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

/// Returns the sines and cosines that float32 code computes. Code scales the positions first.
RowSource float32_rows(const Parameters& p, const Positions& positions, const Channels& channels,
                       DType dtype) {
    const GeometricProgression progression = frequencies_of(p, channels);
    std::vector<float> frequencies = p.word("arith") == "float32"
                                         ? float32_exponentials(progression)
                                         : float32_frequencies("base", progression);
    return numerics::float32_wave_rows(
        numerics::angle_products(positions, std::move(frequencies),
                                 to_float32("freq-scale", progression.scale)),
        layout_of(channels), to_float32("out-scale", p.real("out-scale")), dtype);
}

RowSource finished_rows(RowSource rows, const Positions& positions, const Channels& channels,
                        const Finish& finish, DType dtype) {
    if (finish.standardize) {
        rows = rows::standardized(std::move(rows), positions.size(), channels.d,
                                  *finish.standardize, dtype);
    }
    const std::int64_t bytes_per_row = channels.d * static_cast<std::int64_t>(info(dtype).size);
    if (finish.zero_row) {
        rows = rows::with_zero_row(std::move(rows), *finish.zero_row, bytes_per_row);
    }
    if (finish.prefix_rows > 0) {
        rows = rows::with_zero_rows_before(std::move(rows), finish.prefix_rows, bytes_per_row);
    }
    return rows;
}

/// Standardizing needs the mean and the deviation of the whole table.
Cell standardized(Cell cell, double factor) {
    if (!cell.value.text.empty()) {
        cell.value.text =
            fmt::format("({} - mean) / ({} * deviation)", cell.value.text, shortest(factor));
    }
    cell.value.value = nullptr;
    return cell;
}

Cell cell_of(const Positions& positions, const Channels& channels,
             const GeometricProgression& frequencies, const Finish& finish,
             std::span<const std::int64_t> index) {
    const std::int64_t row = index[0] - finish.prefix_rows;
    if (row < 0) return zero_cell("The row is one of --prefix-rows, which are zero.");
    if (row == finish.zero_row) return zero_cell("The row is that of --zero-row, which is zero.");
    Cell cell =
        layout_cell(finish.out_scale, layout_of(channels), index[1], number_term(positions[row]),
                    [&](std::int64_t k) { return frequency_term(frequencies, k); });
    return finish.standardize ? standardized(std::move(cell), *finish.standardize) : cell;
}

/// The labels are those of the figure that the notes show, to the letter.
std::vector<Axis> labelled_axes(const Positions& positions, std::int64_t rows_before) {
    Axis down = position_axis(positions, rows_before);
    down.label = "Sequence Position(max_len)";
    return {std::move(down), channel_axis("Embedding Dimension(d_model)")};
}

Plan encoding_plan(const Parameters& p) {
    const Positions positions = positions_of(p);
    const Channels channels = channels_of(p);
    const GeometricProgression frequencies = frequencies_of(p, channels);
    const Finish finish = finish_of(p, positions);
    return {.parameters = p,
            .shape = {finish.prefix_rows + positions.size(), channels.d},
            .axes = labelled_axes(positions, finish.prefix_rows),
            .make_rows =
                [=](DType dtype) {
                    const Frequencies omega(frequencies);
                    check_angles(positions, omega, "--base, --freq-scale");
                    check_holds(dtype, finish.out_scale, "the largest value");
                    RowSource rows =
                        is_exact(p) ? numerics::sinusoid_rows(
                                          positions, omega, layout_of(channels), finish.out_scale,
                                          finish.standardize ? DType::float64 : dtype)
                                    : float32_rows(p, positions, channels, dtype);
                    return finished_rows(std::move(rows), positions, channels, finish, dtype);
                },
            .pairs = pairs_of(channels),
            .cell =
                [=](std::span<const std::int64_t> index) {
                    return cell_of(positions, channels, frequencies, finish, index);
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
              .idle_parameters = "keep-channels view"},
    TableSpec{.name = "wavelengths",
              .summary = "2 pi / omega of each pair (or channel), in positions",
              .title = "Wavelengths (d_model={d}, base={base})",
              .value_label = "Positions per Turn",
              .idle_parameters = "keep-channels view"},
};

}  // namespace

/// With shared pairing one frequency serves a sin and a cos; with per-channel pairing each channel
/// has its own. The d of the formula is d - 1 for odd d with --odd zero-pad, d + 1 with round-up.
/// The exponent of the first frequency is 0 even where the denominator is not positive.
/// Layout interleaved: sin, cos, sin, cos ...; halves: all sin, then all cos; cos before sin with
/// --first cos.
///
/// Tables: encoding (prefix-rows + len, d), axes (position, channel); frequencies, wavelengths
/// (frequency,), in radians per position and positions per turn.
/// Correctly rounded, except with --standardize X, which is computed in double, each value times X
/// less than 1e-13 off as measured, and with --arith float32 and float32-pow, which are rounded at
/// every step.
/// What is done to the values, in this order: out-scale, standardize, zero-row, prefix-rows.
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
    .plan = plan,
    .recognize = recognize_sinusoid};

}  // namespace pegen::encodings

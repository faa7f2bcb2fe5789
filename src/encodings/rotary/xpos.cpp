#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/default_floating_point.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/waves.h"
#include "encodings/rotary/rope_tables.h"
#include "numerics/direct_waves.h"
#include "numerics/exact.h"
#include "numerics/float32_angles.h"

namespace pegen::encodings {
namespace {

using numerics::Frequencies;
using numerics::Function;
using numerics::Real;

constexpr std::array parameters{
    len_parameter,
    rotary_d_parameter,
    base_parameter,
    ParameterSpec{.name = "scale-base",
                  .aliases = "xpos-scale-base",
                  .default_value = "512",
                  .range = positive,
                  .summary = "number of positions over which the scale changes by zeta"},
    ParameterSpec{.name = "gamma",
                  .default_value = "0.4",
                  .range = positive,
                  .summary = "the larger, the less the fastest pair is scaled down"},
    ParameterSpec{.name = "centre",
                  .aliases = "center",
                  .default_value = "floor",
                  .range = any_position,
                  .choices = "floor ceil",
                  .summary = "the position of scale 1: floor(len / 2), ceil(len / 2), or a number"},
    with_default(rotary_layout_parameter, "interleaved"),
    keep_channels_parameter,
    view_parameter,
    rare_arith_parameter("the exact formula, or float32 arithmetic: cos(angle) * zeta ^ e"),
};

/// The encoding, as given by the parameters.
struct Xpos {
    std::int64_t len;
    std::int64_t pairs;
    double base;
    double scale_base;
    double gamma;
    double centre;

    Real frequency(std::int64_t pair) const { return rotary_frequency(base, pair, 2 * pairs); }
    /// Returns log(zeta) of the pair, with full precision even if zeta is close to 0 or 1.
    Real log_zeta(std::int64_t pair) const {
        const auto m = static_cast<double>(pair), n = static_cast<double>(pairs);
        const Real zeta = (Real(m) / n + gamma) / (Real(1) + gamma);
        return zeta < 0.5 ? log(zeta) : log1p((Real(m) - n) / n / (Real(1) + gamma));
    }
    /// Returns the exponent of zeta in row `row`, as a Real or nearly as a double.
    template <class Number = Real>
    Number exponent(std::int64_t row) const {
        return (Number(static_cast<double>(row)) - centre) / scale_base;
    }
};

Xpos xpos_of(const Parameters& p) {
    return {.len = p.integer("len"),
            .pairs = p.integer("d") / 2,
            .base = p.real("base"),
            .scale_base = p.real("scale-base"),
            .gamma = p.real("gamma"),
            .centre = p.real("centre")};
}

Parameters resolved(Parameters p) {
    check_pairs(p);
    const std::string centre = to_string(p.value("centre"));
    const std::int64_t len = p.integer("len");
    if (centre == "floor") p.resolve("centre", static_cast<double>(len / 2));
    if (centre == "ceil") p.resolve("centre", static_cast<double>((len + 1) / 2));
    return p;
}

/// The content of a table: a function of the angles, or 1, times zeta^(sign * exponent).
struct Content {
    std::optional<Function> function;
    double sign;
};

Content content_of(std::string_view table) {
    const double sign = table.ends_with("-k") ? -1 : 1;
    if (table == "scale") return {std::nullopt, sign};
    return {table.starts_with("cos") ? Function::cos : Function::sin, sign};
}

RotaryForm form_of(const Parameters& p, std::string_view table) {
    const std::int64_t pairs = p.integer("d") / 2;
    // The table scale has one value for each pair, in the form of a table with one cosine each.
    if (table == "scale") return {{pairs}, {frequency_axis()}, {{Function::cos, 0, 1}}};
    return rotary_form(table.substr(0, 3), p.word("layout"), pairs);
}

/// The data from which rows are made. Threads share it, since it never changes.
struct ScaledWaves {
    Xpos xpos;
    Content content;
    std::vector<std::size_t> pairs;  ///< the pair of each column
    Frequencies frequencies;
    Frequencies decays;             ///< log(zeta) of each pair
    std::vector<double> log_zetas;  ///< the same as doubles
    Rows waves;  ///< cosines or sines of --arith float32, as float64; none for scale

    /// Returns sign * exponent * log(zeta). A value of the table is its wave times exp of the
    /// result. The relative error is at most 5 * 2^-53.
    double log_scale(std::int64_t row, std::size_t pair) const {
        return content.sign * xpos.exponent<double>(row) * log_zetas[pair];
    }

    numerics::Enclosure enclosure(std::int64_t row, std::size_t pair) const {
        const Real logarithm = content.sign * xpos.exponent(row) * decays.reals()[pair];
        const Real scale = exp(logarithm);
        const Real error = numerics::rounding_errors(scale * (1 + abs(logarithm)));
        if (!content.function) return {scale, error};
        const auto wave = numerics::enclosed_wave(
            *content.function, static_cast<double>(row) * frequencies.reals()[pair]);
        return {wave.value * scale, wave.error * scale + abs(wave.value) * error};
    }
};

Frequencies of_each_pair(const Xpos& xpos, Real (Xpos::*number)(std::int64_t) const) {
    return Frequencies([=] {
        std::vector<Real> all;
        for (std::int64_t pair = 0; pair < xpos.pairs; ++pair) all.push_back((xpos.*number)(pair));
        return all;
    });
}

std::shared_ptr<const ScaledWaves> scaled_waves(const Parameters& p, std::string_view table) {
    const RotaryForm form = form_of(p, table);
    const Xpos xpos = xpos_of(p);
    ScaledWaves result{xpos,
                       content_of(table),
                       {},
                       of_each_pair(xpos, &Xpos::frequency),
                       of_each_pair(xpos, &Xpos::log_zeta),
                       {},
                       {}};
    result.pairs.resize(form.values());
    for (std::int64_t pair = 0; pair < xpos.pairs; ++pair) {
        for (const Place& place : form.places) {
            result.pairs[place.first + place.stride * pair] = pair;
        }
    }
    result.log_zetas = nearest_doubles(result.decays);
    if (result.content.function && !is_exact(p)) {
        const Frequencies frequencies = exactly(
            float32_frequencies("base", numerics::paired_progression(xpos.base, 2 * xpos.pairs)));
        result.waves =
            turning_rows({Positions(0, 1, xpos.len), {{0, xpos.pairs}}, frequencies, false}, form,
                         DType::float64, "--base");
    }
    return std::make_shared<const ScaledWaves>(std::move(result));
}

double exact_value(const ScaledWaves& all, std::int64_t row, std::size_t pair, DType dtype) {
    return numerics::ziv_loop(dtype, numerics::Midpoints::possible,
                              [&] { return all.enclosure(row, pair); });
}

/// Returns the rows as waves whose weights are the scales; nothing if a scale, or its change up to
/// the last position, is near the ends of the doubles.
std::optional<Rows> direct_rows(const std::shared_ptr<const ScaledWaves>& all,
                                const RotaryForm& form, DType dtype) {
    const Xpos& xpos = all->xpos;
    const auto last = static_cast<double>(xpos.len - 1);
    const double first_scale = all->log_scale(0, 0), last_scale = all->log_scale(xpos.len - 1, 0);
    const double most = std::max(std::fabs(last_scale), std::fabs(last_scale - first_scale));
    if (most > 700 || !numerics::is_direct(last * all->frequencies.largest(), 1)) return {};
    const Real at_0 = all->content.sign * xpos.exponent(0);
    std::vector<Real> scales_at_0, losses;
    for (const Real& log_zeta : all->decays.reals()) {
        scales_at_0.push_back(exp(at_0 * log_zeta));
        losses.push_back(-all->content.sign * log_zeta / xpos.scale_base);
    }
    // The table scale has the cosine of no angle, 1.
    const std::vector<Real> frequencies = all->content.function
                                              ? all->frequencies.reals()
                                              : std::vector<Real>(losses.size(), Real(0));
    using numerics::are_moderate;
    if (!are_moderate(scales_at_0) || !are_moderate(losses) || !are_moderate(frequencies))
        return {};
    const std::vector along{
        numerics::WavePositions{std::make_shared<const Positions>(0, 1, xpos.len), 1,
                                static_cast<std::size_t>(xpos.pairs)}};
    return numerics::direct_wave_rows(
        {.summands = {{along, numerics::split(frequencies)}},
         .weights = {{numerics::split(scales_at_0), {along, numerics::split(losses)}}},
         .layout = turning_layout(form, {{0, xpos.pairs}}),
         .exact = [=](Function, std::int64_t row,
                      std::size_t pair) { return exact_value(*all, row, pair, dtype); }},
        xpos.len, dtype);
}

Rows exact_rows(const std::shared_ptr<const ScaledWaves>& all, DType dtype) {
    const std::int64_t columns = std::ssize(all->pairs);
    return rounded({[=](RowRange range, std::span<double> out) {
                        const DefaultFloatingPoint arithmetic;
                        for (std::int64_t i = 0; i < std::ssize(out); ++i) {
                            out[i] = exact_value(*all, range.first + i / columns,
                                                 all->pairs[i % columns], dtype);
                        }
                    },
                    all->xpos.len, columns},
                   dtype);
}

/// Returns the bases of the scales as float32 code computes them: (2m + gamma d) / (d + gamma d).
std::vector<float> float32_zetas(const Xpos& xpos) {
    const double d = 2 * static_cast<double>(xpos.pairs);
    const auto shift = static_cast<float>(xpos.gamma * d);
    const auto divisor = static_cast<float>((1 + xpos.gamma) * d);
    std::vector<float> zetas;
    for (std::int64_t m = 0; m < xpos.pairs; ++m) {
        zetas.push_back((static_cast<float>(2 * m) + shift) / divisor);
    }
    return zetas;
}

Rows float32_rows(const std::shared_ptr<const ScaledWaves>& all, DType dtype) {
    const std::int64_t columns = std::ssize(all->pairs);
    return rounded(
        {[all, columns, zetas = float32_zetas(all->xpos)](RowRange range, std::span<double> out) {
             const DefaultFloatingPoint arithmetic;
             std::ranges::fill(out, 1.0);
             if (all->content.function) all->waves(range, std::as_writable_bytes(out));
             for (std::int64_t i = 0; i < range.count * columns; ++i) {
                 const auto row = static_cast<double>(range.first + i / columns);
                 const float exponent = static_cast<float>(row - all->xpos.centre) /
                                        static_cast<float>(all->xpos.scale_base);
                 const float zeta = zetas[all->pairs[i % columns]];
                 const float scale = numerics::float32_pow(zeta, exponent);
                 const auto wave = static_cast<float>(out[i]);
                 out[i] = all->content.sign > 0 ? wave * scale : wave / scale;
             }
         },
         all->xpos.len, columns},
        dtype);
}

Rows rows_of(const Parameters& p, std::string_view table, DType dtype) {
    const auto all = scaled_waves(p, table);
    const double largest =
        std::exp(std::max(all->log_scale(0, 0), all->log_scale(all->xpos.len - 1, 0)));
    check_holds(dtype, largest, "the largest scale");
    if (!is_exact(p)) {
        check_float32(largest, "--len, --scale-base, --gamma");
        return float32_rows(all, dtype);
    }
    if (std::optional<Rows> rows = direct_rows(all, form_of(p, table), dtype)) return *rows;
    return exact_rows(all, dtype);
}

/// Returns the cell of value number `value` of a row.
Cell cell_of(const Parameters& p, std::string_view table, std::int64_t row, std::int64_t value) {
    const Xpos xpos = xpos_of(p);
    const auto [function, sign] = content_of(table);
    const auto progression = numerics::paired_progression(xpos.base, 2 * xpos.pairs);
    const Term position = number_term(static_cast<double>(row));
    Cell cell = turning_cell(
        form_of(p, table), {{0, xpos.pairs}}, value, 1, [&](std::int64_t) { return position; },
        [&](std::int64_t k) { return frequency_term(progression, k); });
    const Term zeta = digits_term([=, pair = *cell.pair] { return exp(xpos.log_zeta(pair)); });
    const Term exponent = digits_term([=, s = sign] { return s * xpos.exponent(row); });
    const auto scale = [=, s = sign, pair = *cell.pair] {
        return exp(s * xpos.exponent(row) * xpos.log_zeta(pair));
    };
    const std::string power = fmt::format("{}^({})", zeta.text, exponent.text);
    if (!function) return {.value = {scale, power}, .pair = cell.pair};
    cell.value = {[=, wave = cell.value.value] { return wave() * scale(); },
                  fmt::format("{} * {}", cell.value.text, power)};
    return cell;
}

Plan plan(Parameters given, std::string_view table) {
    const Parameters p = resolved(std::move(given));
    const std::int64_t len = p.integer("len");
    return rotary_plan(
        p, len, position_axis(Positions(0, 1, len)), form_of(p, table),
        [p, name = std::string(table)](DType dtype) { return rows_of(p, name, dtype); },
        [p, name = std::string(table)](std::int64_t row, std::int64_t value) {
            return cell_of(p, name, row, value);
        });
}

constexpr std::array tables{
    TableSpec{.name = "cos-q",
              .summary = "cos(pos w) zeta^e, for queries, (len, d), or half as wide with --layout "
                         "single",
              .title = "xPos, Cosines for Queries (d={d}, max_len={len})",
              .value_label = "cos",
              .scored_by = "none"},
    TableSpec{.name = "sin-q",
              .summary = "sin(pos w) zeta^e, likewise",
              .title = "xPos, Sines for Queries (d={d}, max_len={len})",
              .value_label = "sin",
              .scored_by = "none"},
    TableSpec{.name = "cos-k",
              .summary = "cos(pos w) zeta^-e, for keys",
              .title = "xPos, Cosines for Keys (d={d}, max_len={len})",
              .value_label = "cos",
              .scored_by = "none"},
    TableSpec{.name = "sin-k",
              .summary = "sin(pos w) zeta^-e, for keys",
              .title = "xPos, Sines for Keys (d={d}, max_len={len})",
              .value_label = "sin",
              .scored_by = "none"},
    TableSpec{.name = "scale",
              .summary = "zeta^e, (len, d / 2)",
              .title = "xPos, Scale (d={d}, max_len={len})",
              .value_label = "Scale",
              .idle_parameters = "keep-channels view",
              .scored_by = "none"},
};

constexpr std::array xpos_presets{
    PresetSpec{.name = "flash-attn-xpos",
               .settings = "--centre floor --layout single",
               .summary = "flash-attention's RotaryEmbedding with scale_base",
               .source = "Dao-AILab/flash-attention, flash_attn/layers/rotary.py",
               .note = "Its caches have each frequency once; the pairing is its interleaved "
                       "option. With an odd length the scale is one position off torchscale's; "
                       "products of queries and keys are the same. Tables depend on the length: "
                       "with a cache of keys both sides need the same --len."},
    PresetSpec{.name = "lucidrains-xpos",
               .aliases = "x-transformers-xpos",
               .settings = "--centre floor --layout interleaved",
               .summary = "rotary-embedding-torch with use_xpos; also x-transformers",
               .source = "lucidrains/rotary-embedding-torch, rotary_embedding_torch/"
                         "rotary_embedding_torch.py",
               .note = "Pairing interleaved: channel 2m turns with 2m + 1. With an odd length the "
                       "scale is one position off torchscale's; products of queries and keys are "
                       "the same."},
    PresetSpec{.name = "torchscale",
               .aliases = "torchscale-xpos",
               .settings = "--centre ceil --layout interleaved",
               .summary = "xPos as its authors implement it, in torchscale",
               .source = "microsoft/torchscale, torchscale/component/xpos_relative_position.py",
               .note = "Pairing interleaved: channel 2m turns with 2m + 1. -len // 2 in its code "
                       "rounds down, so the centre is ceil(len / 2): with an odd length the scale "
                       "is one position off everybody else's. With an offset the table is the "
                       "last rows of --len length + offset."},
};

}  // namespace

/// RoPE whose pairs fade with the distance: queries are scaled by zeta^e and keys by zeta^-e, so
/// that a product contains zeta to the power (query - key) / scale-base. Positions count from 0.
/// The centre does not change the products, but queries and keys must have the same centre. The
/// tables do not say which channels form a pair: 2m and 2m + 1 in all known code; --layout only
/// says where the values are.
///
/// Tables: cos-q, sin-q, cos-k, sin-k (position, channel), scale (position, frequency). Correctly
/// rounded; float64 takes some ten microseconds for each value.
extern constinit const Encoding xpos{
    .name = "xpos",
    .summary = "rotary positions whose effect fades with the distance: xPos, LeX",
    .formula =
        "cos-q[pos, m] = cos(pos * w[m]) * zeta[m]^e,   sin-q likewise\n"
        "cos-k[pos, m] = cos(pos * w[m]) * zeta[m]^-e,  sin-k likewise\n"
        "w[m] = base^(-2m / d),  zeta[m] = (2m / d + gamma) / (1 + gamma),  m = 0 ... d/2 - 1\n"
        "e = (pos - centre) / scale-base",
    .source = "Sun et al. 2022, A Length-Extrapolatable Transformer, arXiv:2212.10554, section 2.2",
    .examples =
        "xpos --d 16 --len 6\n"
        "xpos --d 64 --len 2048 --table scale --png scale.png\n"
        "xpos --d 128 --len 4096 --centre 0 --layout half --table sin-k --npy sin.npy",
    .parameters = parameters,
    .tables = tables,
    .presets = xpos_presets,
    .plan = plan};

}  // namespace pegen::encodings

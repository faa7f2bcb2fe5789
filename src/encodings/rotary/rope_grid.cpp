#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/names.h"
#include "core/parameters.h"
#include "core/positions.h"
#include "core/shape.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/grid_axes.h"
#include "encodings/parameters/position_files.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/waves.h"
#include "encodings/rotary/config/grid_config.h"
#include "encodings/rotary/config/model_config.h"
#include "encodings/rotary/grid_order.h"
#include "encodings/rotary/rope_tables.h"
#include "numerics/float32_angles.h"
#include "numerics/real.h"
#include "numerics/sinusoid.h"
#include "rows/arranged.h"
#include "rows/grid_rows.h"

namespace pegen::encodings {
namespace {

using numerics::Frequencies;
using numerics::Real;

// The coordinates of the grid points by which the pairs of rope-grid rotate.

/// Returns the specification of a parameter that only these choices of another one use.
constexpr ParameterSpec with_condition(ParameterSpec spec, UsedWith condition) {
    spec.used_with = condition;
    return spec;
}

constexpr std::array coordinate_parameters{
    ParameterSpec{
        .name = "coords",
        .type = ParameterType::word,
        .default_value = "index",
        .choices = "index linspace cells",
        .summary =
            "coordinates: start + step i, from -1 to 1, or middles of cells between -1 and 1"},
    with_condition(start_of_axes_parameter, {"coords", "index"}),
    with_condition(step_of_axes_parameter, {"coords", "index"}),
    ParameterSpec{
        .name = "normalize",
        .aliases = "normalize-coords",
        .type = ParameterType::word,
        .default_value = "separate",
        .choices = "separate max min",
        .summary = "divisor for --coords cells: each axis's extent, the largest, or the smallest",
        .used_with = {"coords", "cells"}},
    ParameterSpec{
        .name = "ref-extent",
        .aliases = "pt-seq-len pt-hw-seq-len ref-feat-shape",
        .type = ParameterType::reals,
        .range = positive,
        .summary =
            "extent in pretraining, to which coordinates are rescaled; one, or one per axis"},
    points_parameter,
};

/// The fraction numerator / denominator, kept exact.
struct Unit {
    double numerator = 1;
    numerics::Real denominator = 1;
};

/// The coordinates along an axis, kept exact: numerators[i] * unit.
struct Coordinates {
    Positions numerators;
    Unit unit;
};

/// Returns the extent by which --normalize counts the cells of the axis: the axis's own extent, or
/// the largest or smallest of all axes.
std::int64_t cells_of(const Parameters& p, char axis) {
    const std::string& normalize = p.word("normalize");
    if (normalize == "separate") return extent(p, axis);
    std::int64_t least = extent(p, 'x'), most = least;
    for (const char other : axes_of(p)) {
        least = std::min(least, extent(p, other));
        most = std::max(most, extent(p, other));
    }
    return normalize == "max" ? most : least;
}

Coordinates unresized(const Parameters& p, char axis) {
    const std::int64_t count = extent(p, axis);
    if (p.word("coords") == "linspace") {
        if (count == 1) return {Positions(-1, 0, 1), {}};
        const auto last = static_cast<double>(count - 1);
        return {Positions(-last, 2, count), {1, last}};
    }
    if (p.word("coords") == "cells") {
        const auto cells = static_cast<double>(cells_of(p, axis));
        return {Positions(1 - cells, 2, count), {1, cells}};
    }
    return {Positions(of_axis(p, "start", axis), of_axis(p, "step", axis), count), {}};
}

/// Returns the coordinates of the grid along axis t, y or x.
Coordinates grid_coordinates(const Parameters& p, char axis) {
    Coordinates coordinates = unresized(p, axis);
    if (p.has("ref-extent")) {
        coordinates.unit = {of_axis(p, "ref-extent", axis),
                            coordinates.unit.denominator * static_cast<double>(extent(p, axis))};
    }
    return coordinates;
}

/// Checks the coordinates. Throws: UsageError for a list that does not have one number for each
/// axis, or positions beyond 2^53.
void check_coordinates(const Parameters& p) {
    if (p.has("ref-extent")) check_of_axes(p, "ref-extent");
    for (const char* name : {"start", "step"}) check_of_axes(p, name);
    for (const char axis : axes_of(p)) {
        check_last_position(extent_name(axis), of_axis(p, "start", axis), of_axis(p, "step", axis),
                            extent(p, axis));
    }
}

constexpr std::array own_parameters{
    height_parameter,
    width_parameter,
    depth_parameter,
    rotary_d_parameter,
    ParameterSpec{.name = "split",
                  .aliases = "axes-dim axes-dims",
                  .type = ParameterType::integers,
                  .range = {.lowest = 0, .highest = most_channels},
                  .summary = "channels for depth, height and width [equal]"},
    axes_parameter,
    ParameterSpec{.name = "order",
                  .type = ParameterType::word,
                  .default_value = "ak",
                  .choices = "ak ka",
                  .summary = "how axis and frequency (k) are nested, outermost first: a block of "
                             "pairs for each axis, or the axes in turn"},
    ParameterSpec{.name = "unrotated",
                  .type = ParameterType::integer,
                  .default_value = "0",
                  .range = {.lowest = 0, .highest = most_channels},
                  .summary = "channels of --d that no axis turns: cos 1, sin 0"},
    ParameterSpec{.name = "unrotated-at",
                  .type = ParameterType::word,
                  .default_value = "end",
                  .choices = "front end",
                  .summary = "where they are, in front of the channels that turn or behind them"},
    ParameterSpec{.name = "spectrum",
                  .type = ParameterType::word,
                  .default_value = "own",
                  .choices = "own strided sections linear geometric",
                  .summary = "the frequencies: a spectrum per axis, every second or third "
                             "frequency of one, a section of one, or between --freqs"},
    with_condition(base_of_axes_parameter, {"spectrum", "own strided sections"}),
    ParameterSpec{.name = "freqs",
                  .type = ParameterType::reals,
                  .range = positive,
                  .summary = "first and last frequency, for --spectrum linear and geometric",
                  .used_with = {"spectrum", "linear geometric"}},
    freq_scale_parameter,
};

constexpr ParameterSpec layout_parameter{.name = "layout",
                                         .type = ParameterType::word,
                                         .default_value = "half",
                                         .choices = "half interleaved single axis-half",
                                         .summary =
                                             "layout of cos and sin: all frequencies twice, each "
                                             "one twice, each one once, or those of an axis twice"};

constexpr std::array token_parameters{
    prefix_rows_parameter,
    ParameterSpec{.name = "prefix-tokens",
                  .type = ParameterType::integer,
                  .default_value = "0",
                  .range = any_index,
                  .summary = "unrotated rows in front: cos 1, sin 0"},
    ParameterSpec{.name = "suffix-tokens",
                  .type = ParameterType::integer,
                  .default_value = "0",
                  .range = any_index,
                  .summary = "unrotated rows at the end: cos 1, sin 0"},
};

constexpr ParameterSpec arithmetic_parameter =
    rare_arith_parameter("the exact formula, or float32 arithmetic: (coordinate * freq-scale) * w");

constexpr std::array parameters =
    joined(own_parameters, coordinate_parameters, std::array{config_parameter, layout_parameter},
           grid_order_parameters, token_parameters,
           std::array{keep_channels_parameter, view_parameter, arithmetic_parameter});

constexpr std::string_view frequency_options = "--base, --freqs, --freq-scale";

bool has_bands(const Parameters& p) {
    return p.word("spectrum") == "linear" || p.word("spectrum") == "geometric";
}

/// Returns the number of channels that turn.
std::int64_t turning_channels(const Parameters& p) {
    return p.integer("d") - p.integer("unrotated");
}

std::vector<std::int64_t> equal_split(const Parameters& p) {
    const std::int64_t d = p.integer("d"), axes = std::ssize(axes_of(p));
    if (turning_channels(p) % (2 * axes) != 0) {
        const bool has_still = p.integer("unrotated") > 0;
        throw UsageError(fmt::format(
            "--d {}{}: must be a multiple of {}, pairs for {} axes; or give --split{}", d,
            has_still ? fmt::format(" less --unrotated {}", p.integer("unrotated")) : "", 2 * axes,
            axes, d % 2 == 0 ? fmt::format(", or --unrotated {}", d % (2 * axes)) : ""));
    }
    return std::vector<std::int64_t>(axes, turning_channels(p) / axes);
}

void check_unrotated(const Parameters& p) {
    const std::int64_t still = p.integer("unrotated"), d = p.integer("d");
    if (still % 2 != 0 || still >= d) {
        throw UsageError(fmt::format(
            "--unrotated {}: must be even, since channels turn in pairs, and less than --d {}",
            still, d));
    }
    if (still == 0 && p.given("unrotated-at")) {
        throw UsageError("--unrotated-at: has no effect without --unrotated");
    }
}

void check_split(const Parameters& p) {
    const std::vector<std::int64_t>& split = p.integers("split");
    const std::string text = to_string(p.value("split"));
    const std::size_t axes = axes_of(p).size();
    if (split.size() != axes) {
        throw UsageError(
            fmt::format("--split {}: must be {} numbers, for {}", text, axes, extent_names(p)));
    }
    if (std::ranges::any_of(split, [](std::int64_t count) { return count % 2 != 0; })) {
        throw UsageError(
            fmt::format("--split {}: must be even numbers, since channels turn in pairs", text));
    }
    const std::int64_t sum = std::accumulate(split.begin(), split.end(), std::int64_t{0});
    const std::int64_t d = p.integer("d"), turning = turning_channels(p);
    if (sum != turning) {
        const std::string have =
            turning == d ? fmt::format("is {}", d)
                         : fmt::format("{} leaves {} with --unrotated {}", d, turning, d - turning);
        const std::string advice =
            turning == d && sum < d
                ? fmt::format("; if {} are not rotated, give --unrotated {}", d - sum, d - sum)
                : "";
        throw UsageError(fmt::format("--split {}: adds up to {} channels, but --d {}{}", text, sum,
                                     have, advice));
    }
    if (std::ranges::all_of(split, [&](std::int64_t count) { return count == split.front(); })) {
        return;
    }
    if (p.word("spectrum") == "strided") {
        throw UsageError(
            fmt::format("--split {}: --spectrum strided needs as many channels for each axis; use "
                        "--spectrum own or sections",
                        text));
    }
    if (p.word("order") == "ka") {
        throw UsageError(fmt::format(
            "--split {}: --order ka needs as many channels for each axis; use --order ak", text));
    }
}

void check_layout(const Parameters& p) {
    if (p.word("order") == "ka" && p.word("layout") == "axis-half") {
        throw UsageError("--layout axis-half: needs the block of each axis, --order ak");
    }
}

/// Clears --base or --freqs, whichever --spectrum does not use.
Parameters resolve_spectrum(Parameters p) {
    const std::string& spectrum = p.word("spectrum");
    if (has_bands(p) && (!p.has("freqs") || p.reals("freqs").size() != 2)) {
        throw UsageError(fmt::format(
            "--spectrum {}: needs --freqs FIRST,LAST, the first and the last frequency", spectrum));
    }
    p.resolve(has_bands(p) ? "base" : "freqs", {});
    return p;
}

Parameters resolved(Parameters p, const PointsFile* file) {
    check_used(p);
    p = resolve_spectrum(file ? with_points(std::move(p), *file,
                                            {"coords", "start", "step", "normalize", "ref-extent",
                                             "merge", "window"})
                              : resolve_axes(std::move(p)));
    check_unrotated(p);
    if (!p.has("split")) p.resolve("split", equal_split(p));
    check_split(p);
    check_layout(p);
    if (p.has("base")) check_of_axes(p, "base");
    if (file) return p;
    check_coordinates(p);
    check_order(p);
    return p;
}

/// Returns the pairs that do not turn.
PairRun still_pairs(const Parameters& p) {
    return {p.word("unrotated-at") == "front" ? 0 : turning_channels(p) / 2,
            p.integer("unrotated") / 2};
}

/// Returns the number of pairs of the axes before this one in --axes.
std::int64_t pairs_before(const Parameters& p, char axis) {
    const std::string& axes = p.word("axes");
    std::int64_t pairs = 0;
    for (const char before : axes.substr(0, axes.find(axis))) {
        pairs += p.integers("split")[axes_of(p).find(before)] / 2;
    }
    return pairs;
}

/// Returns the pairs of an axis among the pairs of the head.
PairRun block_of(const Parameters& p, char axis) {
    const std::string_view axes = axes_of(p);
    const std::int64_t count = p.integers("split")[axes.find(axis)] / 2;
    const PairRun still = still_pairs(p);
    const std::int64_t begin = still.first == 0 ? still.count : 0;
    if (p.word("order") == "ak") return {begin + pairs_before(p, axis), count};
    const auto rank = static_cast<std::int64_t>(p.word("axes").find(axis));
    return {begin + rank, count, std::ssize(axes)};
}

/// Returns frequency k of an axis whose frequencies --freqs gives.
Real frequency_of_band(const Parameters& p, PairRun block, std::int64_t k) {
    const Real low = p.reals("freqs")[0], high = p.reals("freqs")[1];
    const std::int64_t last = std::max<std::int64_t>(block.count - 1, 1);
    const Real part = Real(static_cast<double>(k)) / static_cast<double>(last);
    const Real rest = Real(static_cast<double>(last - k)) / static_cast<double>(last);
    return p.word("spectrum") == "linear" ? low * rest + high * part
                                          : pow(low, rest) * pow(high, part);
}

/// A part of the frequencies base^(-2m / channels): m = first, first + stride, ...
struct SpectrumPart {
    std::int64_t channels;
    std::int64_t first;
    std::int64_t stride;

    std::int64_t pair(std::int64_t k) const { return first + k * stride; }
};

SpectrumPart spectrum_of(const Parameters& p, char axis, PairRun block) {
    const std::string& spectrum = p.word("spectrum");
    if (spectrum == "own") return {2 * block.count, 0, 1};
    if (spectrum == "sections") return {turning_channels(p), pairs_before(p, axis), 1};
    return {turning_channels(p), static_cast<std::int64_t>(p.word("axes").find(axis)),
            std::ssize(axes_of(p))};
}

/// Returns frequency k of the axis, without --freq-scale, in radians per unit of the coordinates.
Real frequency(const Parameters& p, char axis, PairRun block, std::int64_t k) {
    if (has_bands(p)) return frequency_of_band(p, block, k);
    const SpectrumPart part = spectrum_of(p, axis, block);
    return rotary_frequency(of_axis(p, "base", axis), part.pair(k), part.channels);
}

/// Returns the frequencies of an axis, in radians per `unit` of the coordinates.
Frequencies frequencies_of(const Parameters& p, char axis, const Unit& unit) {
    return Frequencies([=] {
        const PairRun block = block_of(p, axis);
        std::vector<Real> all;
        for (std::int64_t k = 0; k < block.count; ++k) {
            all.push_back(frequency(p, axis, block, k) * p.real("freq-scale") * unit.numerator /
                          unit.denominator);
        }
        return all;
    });
}

/// Returns the frequencies of all pairs of the head, in radians per unit of the coordinates.
Frequencies frequencies_of(const Parameters& p) {
    return Frequencies([=] {
        std::vector<Real> all(p.integer("d") / 2, 0.0);
        for (const char axis : axes_of(p)) {
            const PairRun block = block_of(p, axis);
            const std::vector<Real> own = frequencies_of(p, axis, {}).reals();
            for (std::int64_t k = 0; k < block.count; ++k) all[block.pair(k)] = own[k];
        }
        return all;
    });
}

/// The tokens that rotate: the points of a grid, or of a file.
struct Tokens {
    Parameters parameters;
    std::optional<PointsFile> file;

    std::int64_t points() const { return file ? file->points() : point_count(parameters); }
    /// Returns the coordinates along axis t, y or x. Reads the file.
    Coordinates coordinates(char axis) const {
        if (!file) return grid_coordinates(parameters, axis);
        return {Positions(read_points(*file)[axes_of(parameters).find(axis)]), {}};
    }
};

RotaryForm form_of(const Parameters& p, std::string_view table, PairRun block = {}) {
    if (table == "angles") return {{p.integer("d") / 2}, {frequency_axis()}, {}};
    return rotary_form(table, p.word("layout"), p.integer("d") / 2, block);
}

float nearest_float(const Real& number) {
    return static_cast<float>(for_rounding_to(DType::float32, number));
}

/// Returns the frequencies of an axis as float32 code computes them, without --freq-scale.
std::vector<float> narrow_frequencies(const Parameters& p, char axis) {
    const PairRun block = block_of(p, axis);
    std::vector<float> frequencies, spectrum;
    const SpectrumPart part = spectrum_of(p, axis, block);
    if (!has_bands(p)) {
        spectrum = float32_frequencies(
            "base", numerics::paired_progression(of_axis(p, "base", axis), part.channels));
    }
    for (std::int64_t k = 0; k < block.count; ++k) {
        frequencies.push_back(has_bands(p) ? nearest_float(frequency_of_band(p, block, k))
                                           : spectrum[part.pair(k)]);
    }
    return frequencies;
}

/// Returns the coordinates of an axis times --freq-scale. Both factors and the product are rounded
/// to float32.
Positions narrow_coordinates(const Parameters& p, char axis, const Coordinates& exact) {
    constexpr std::int64_t longest = 1 << 20;
    const auto& [numerators, unit] = exact;
    if (numerators.size() > longest) {
        throw UsageError(fmt::format(
            "--{} {}: must be at most {} with --arith float32; use --arith exact",
            p.has("points") ? "points" : extent_name(axis), numerators.size(), longest));
    }
    const float scale = to_float32("freq-scale", p.real("freq-scale"));
    std::vector<double> coordinates;
    for (std::int64_t i = 0; i < numerators.size(); ++i) {
        const Real coordinate = Real(numerators[i]) * unit.numerator / unit.denominator;
        coordinates.push_back(nearest_float(coordinate) * scale);
    }
    return Positions(std::move(coordinates));
}

/// Returns the pairs of an axis with the coordinates and frequencies by which they rotate.
TurningPairs pairs_of(const Parameters& p, char axis, const Coordinates& coordinates) {
    if (!is_exact(p)) {
        return {narrow_coordinates(p, axis, coordinates),
                {block_of(p, axis)},
                exactly(narrow_frequencies(p, axis)),
                false};
    }
    return {coordinates.numerators, {block_of(p, axis)}, frequencies_of(p, axis, coordinates.unit)};
}

/// Returns the rows of the table angles for the coordinates along an axis; the angles of pairs that
/// other axes turn are 0.
Rows angle_rows(const Parameters& p, const TurningPairs& pairs, DType dtype) {
    const Frequencies& omega = pairs.frequencies;
    check_holds(dtype, omega.largest() * pairs.positions.largest(), "the largest angle");
    const auto angles = [&] {
        if (pairs.is_exact) return numerics::angle_rows(pairs.positions, omega, dtype);
        return numerics::float32_angle_rows(
            numerics::angle_products(pairs.positions, nearest_floats(omega)), dtype);
    };
    // Not with a frequency of 0, which makes -0 at negative coordinates.
    const Rows zeros =
        numerics::angle_rows(Positions(0, 0, pairs.positions.size()),
                             Frequencies([] { return std::vector<Real>{0.0}; }), dtype);
    const PairRun& own = pairs.runs.front();
    std::vector<std::int64_t> columns(p.integer("d") / 2, own.count);
    for (std::int64_t k = 0; k < own.count; ++k) columns[own.pair(k)] = k;
    return rows::chosen_columns(rows::side_by_side({angles(), zeros}), columns);
}

/// Returns `count` rows in which these pairs are not rotated, as at position 0.
Rows still_rows(const Parameters& p, std::string_view table, PairRun pairs, std::int64_t count,
                DType dtype) {
    const Frequencies any([=] { return std::vector<Real>(pairs.count, 1.0); });
    return turning_rows({Positions(0, 0, count), {pairs}, any}, form_of(p, table, pairs), dtype,
                        "");
}

/// Returns the rows of the table, one for each point.
Rows point_rows(const Tokens& tokens, std::string_view table, DType dtype) {
    const Parameters& p = tokens.parameters;
    const PairRun still = still_pairs(p);
    std::vector<Rows> axes;
    if (still.count > 0) {
        axes.push_back(still_rows(p, table, still, tokens.file ? tokens.points() : 1, dtype));
    }
    for (const char axis : axes_of(p)) {
        const TurningPairs pairs = pairs_of(p, axis, tokens.coordinates(axis));
        const RotaryForm form = form_of(p, table, block_of(p, axis));
        axes.push_back(table == "angles" ? angle_rows(p, pairs, dtype)
                                         : turning_rows(pairs, form, dtype, frequency_options));
    }
    if (tokens.file) return rows::merged(axes);
    const Rows grid = rows::point_rows(axes);
    return is_in_rows(p) ? grid : rows::permuted_rows(grid, token_order(p));
}

std::int64_t token_count(const Tokens& tokens) {
    double count = static_cast<double>(tokens.points());
    for (const char* around : {"prefix-rows", "prefix-tokens", "suffix-tokens"}) {
        count += static_cast<double>(tokens.parameters.integer(around));
    }
    if (count > two_to_53) {
        throw UsageError("--prefix-rows, --prefix-tokens, --suffix-tokens: tokens end at 2^53");
    }
    return static_cast<std::int64_t>(count);
}

/// Returns the number of rows in front of the points.
std::int64_t rows_before(const Parameters& p) {
    return p.integer("prefix-rows") + p.integer("prefix-tokens");
}

Axis token_axis(const Tokens& tokens) {
    const Parameters& p = tokens.parameters;
    Axis axis{
        .kind = AxisKind::point, .name = "token", .label = "Token", .rows_before = rows_before(p)};
    if (tokens.file || p.integer("suffix-tokens") > 0 || !is_in_rows(p)) return axis;
    for (const char name : axes_of(p)) axis.extents.push_back(extent(p, name));
    return axis;
}

/// Returns the rows of the table, one for each token.
Rows token_rows(const Tokens& tokens, std::string_view table, DType dtype) {
    const Parameters& p = tokens.parameters;
    const PairRun all{0, p.integer("d") / 2};
    const Rows rows =
        rows::concatenated({still_rows(p, table, all, p.integer("prefix-tokens"), dtype),
                            point_rows(tokens, table, dtype),
                            still_rows(p, table, all, p.integer("suffix-tokens"), dtype)});
    return rows::with_zero_rows_before(rows, p.integer("prefix-rows"));
}

/// Returns the term of the frequency of a pair of the axis, in radians per unit of the coordinates.
Term frequency_term_of(const Parameters& p, char axis, std::int64_t pair) {
    const PairRun block = block_of(p, axis);
    const std::int64_t k = (pair - block.first) / block.stride;
    const double scale = p.real("freq-scale");
    if (has_bands(p)) return digits_term([=] { return frequency(p, axis, block, k) * scale; });
    const SpectrumPart part = spectrum_of(p, axis, block);
    numerics::GeometricProgression progression =
        numerics::paired_progression(of_axis(p, "base", axis), part.channels);
    progression.scale = scale;
    return frequency_term(progression, part.pair(k));
}

/// Returns the number of the axis that turns a pair of the head; nothing if none does.
std::optional<std::size_t> axis_that_turns(const Parameters& p, std::int64_t pair) {
    const std::string_view axes = axes_of(p);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const PairRun block = block_of(p, axes[i]);
        const std::int64_t from_first = pair - block.first;
        if (from_first >= 0 && from_first % block.stride == 0 &&
            from_first / block.stride < block.count) {
            return i;
        }
    }
    return {};
}

/// Returns the term of the frequency of a pair of the head; 0 if no axis turns it.
Term frequency_term_of(const Parameters& p, std::int64_t pair) {
    const std::optional<std::size_t> axis = axis_that_turns(p, pair);
    return axis ? frequency_term_of(p, axes_of(p)[*axis], pair) : number_term(0);
}

/// Returns the term of the coordinate with this index along the axis.
Term coordinate_term(const Tokens& tokens, char axis, std::int64_t index) {
    return digits_term([=] {
        const auto [numerators, unit] = tokens.coordinates(axis);
        return Real(numerators[index]) * unit.numerator / unit.denominator;
    });
}

/// Returns the indices of a token along each axis of the grid, or of its row in the file of points;
/// nothing if the token is no point.
std::vector<std::int64_t> point_of(const Tokens& tokens, std::int64_t token) {
    const Parameters& p = tokens.parameters;
    std::int64_t place = token - rows_before(p);
    if (place < 0 || place >= tokens.points()) return {};
    if (tokens.file) return std::vector(axes_of(p).size(), place);
    std::vector<std::int64_t> extents;
    for (const char axis : axes_of(p)) extents.push_back(extent(p, axis));
    if (!is_in_rows(p)) {
        const std::vector<std::int64_t> order = token_order(p);
        const std::int64_t frame = place / std::ssize(order);
        place = frame * std::ssize(order) + order[place % std::ssize(order)];
    }
    return index_of(place, extents);
}

/// Returns the cell of value number `value` in the row of a token.
Cell cell_of(const Tokens& tokens, std::string_view table, std::int64_t token, std::int64_t value) {
    const Parameters& p = tokens.parameters;
    if (token < p.integer("prefix-rows")) {
        return zero_cell("The row is one of --prefix-rows, which are zero.");
    }
    const std::vector<std::int64_t> point = point_of(tokens, token);
    const std::string_view axes = axes_of(p);
    const bool is_angle = table == "angles";
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const char axis = axes[i];
        const PairRun block = block_of(p, axis);
        const RotaryForm form = form_of(p, table, block);
        const bool is_of_axis = is_angle
                                    ? axis_that_turns(p, value) == i
                                    : content_of(turning_layout(form, {block}), value).has_value();
        if (!is_of_axis) continue;
        const auto position = [&](std::int64_t) {
            return point.empty() ? number_term(0) : coordinate_term(tokens, axis, point[i]);
        };
        const auto frequency = [&](std::int64_t pair) { return frequency_term_of(p, axis, pair); };
        Cell cell = is_angle ? angle_cell(position(value), frequency(value), value)
                             : turning_cell(form, {block}, value, 1.0, position, frequency);
        cell.of = axis;
        if (point.empty())
            cell.note = "The token is in front of the grid or behind it, and is not rotated.";
        return cell;
    }
    const PairRun still = still_pairs(p);
    const auto zero = [](std::int64_t) { return number_term(0); };
    Cell cell = is_angle ? angle_cell(zero(value), zero(value), value)
                         : turning_cell(form_of(p, table, still), {still}, value, 1.0, zero, zero);
    cell.note = "No axis turns the pair, by --unrotated.";
    return cell;
}

Plan plan_of(Parameters given, std::string_view table) {
    std::optional<PointsFile> file;
    if (given.has("points")) file = open_points(given.word("points"));
    const Parameters p = resolved(std::move(given), file ? &*file : nullptr);
    if (table == "inv-freq" || table == "wavelengths") {
        return frequency_plan(
            p, table, p.integer("d") / 2, [p] { return frequencies_of(p); },
            [p](std::int64_t pair) { return frequency_term_of(p, pair); });
    }
    const Tokens tokens{p, file};
    return rotary_plan(
        p, token_count(tokens), token_axis(tokens), form_of(p, table),
        [=, name = std::string(table)](DType dtype) { return token_rows(tokens, name, dtype); },
        [=, name = std::string(table)](std::int64_t token, std::int64_t value) {
            return cell_of(tokens, name, token, value);
        });
}

constexpr std::array tables{
    TableSpec{.name = "cos",
              .summary = "cos(p w), (tokens, d), or half as wide with --layout single",
              .title = "RoPE on a Grid, Cosines (d={d}, height={height}, width={width})",
              .value_label = "cos",
              .promises = "bounded",
              .scored_by = "sin-cos"},
    TableSpec{.name = "sin",
              .summary = "sin(p w), likewise",
              .title = "RoPE on a Grid, Sines (d={d}, height={height}, width={width})",
              .value_label = "sin",
              .promises = "bounded",
              .scored_by = "sin-cos"},
    TableSpec{.name = "sin-cos",
              .summary = "the tables sin and cos side by side, as timm stores them, (tokens, 2 d)",
              .title = "RoPE on a Grid, sin | cos (d={d}, height={height}, width={width})",
              .value_label = "sin, cos",
              .promises = "unique bounded rotation offset spacing"},
    TableSpec{.name = "freqs-cis",
              .summary = "cos and sin side by side: real and imaginary parts of complex numbers, "
                         "(tokens, d / 2, 2)",
              .title = "RoPE on a Grid, cos + i sin (d={d}, height={height}, width={width})",
              .value_label = "cos, sin",
              .idle_parameters = "keep-channels view",
              .promises = "unique bounded rotation offset spacing"},
    TableSpec{
        .name = "matrices",
        .summary =
            "[[cos, -sin], [sin, cos]] of each pair, as Flux stores them, (tokens, d / 2, 2, 2)",
        .title = "RoPE on a Grid, Rotation Matrices (d={d}, height={height}, width={width})",
        .value_label = "Matrix Elements",
        .idle_parameters = "keep-channels view",
        .promises = "unique bounded rotation offset spacing"},
    TableSpec{.name = "angles",
              .summary = "p w, (tokens, d / 2)",
              .title = "RoPE on a Grid, Angles (d={d}, height={height}, width={width})",
              .value_label = "Radians",
              .idle_parameters = "keep-channels view",
              .scored_by = "sin-cos"},
    TableSpec{.name = "inv-freq",
              .summary = "w, the frequency of each pair, (d / 2,)",
              .title = "RoPE on a Grid, Inverse Frequencies (d={d})",
              .value_label = "Radians per Unit",
              .idle_parameters = "arith keep-channels view",
              .has_frequencies = true,
              .has_powers = true},
    TableSpec{.name = "wavelengths",
              .summary = "2 pi / w, (d / 2,)",
              .title = "RoPE on a Grid, Wavelengths (d={d})",
              .value_label = "Units",
              .idle_parameters = "arith keep-channels view",
              .has_powers = true},
};

constexpr std::array rope_grid_presets{
    PresetSpec{.name = "allegro",
               .settings = "--depth 22 --height 45 --width 80 --d 96 --step 1/2.2,1/2,1/2 "
                           "--layout axis-half",
               .summary = "Allegro: frames, y and x have 32 channels each, positions divided",
               .source = "huggingface/diffusers, src/diffusers/models/embeddings.py, "
                         "get_3d_rotary_pos_embed_allegro",
               .note = "Layout half and pairing half within each axis: channel m of an axis turns "
                       "with m + 16. It keeps a table for each axis; here they are side by side. "
                       "--step is 1 / interpolation_scale of t, y and x."},
    PresetSpec{.name = "cogvideox",
               .aliases = "cogvideo consisid",
               .settings = "--depth 13 --height 30 --width 45 --d 64 --split 16,24,24 "
                           "--layout interleaved",
               .summary = "CogVideoX: a quarter of the channels for t, three eighths for y and x",
               .source = "huggingface/diffusers, src/diffusers/models/embeddings.py, "
                         "get_3d_rotary_pos_embed",
               .note = "Pairing interleaved: channel 2m turns with 2m + 1. Depth counts latent "
                       "frames, height and width are pixels / 16. Of a crop that is resized to "
                       "its base size, --start and --step of y and x are other ones. The text is "
                       "not rotated and not in its table."},
    PresetSpec{.name = "cosmos-rope",
               .aliases = "cosmos-predict",
               .settings = "--depth 16 --height 44 --width 80 --d 128 --split 44,42,42 "
                           "--base 10000*2^(44/42),10000,10000",
               .summary = "Cosmos: the base of t is stretched by 2, as NTK-aware scaling does",
               .source = "huggingface/diffusers, src/diffusers/models/transformers/"
                         "transformer_cosmos.py",
               .note = "Layout half, pairing half: channel m turns with m + d / 2. Another "
                       "rope_scale s makes a base 10000 * s^(d/(d-2)), for d channels of the "
                       "axis. Frames are at 24 frames a second; at others, --step 24/fps,1,1."},
    PresetSpec{.name = "croco-rope",
               .aliases = "dust3r mast3r rope100",
               .settings = "--base 100 --layout axis-half",
               .summary = "CroCo, DUSt3R and MASt3R: y before x, base 100, halves within each axis",
               .source = "naver/croco, models/pos_embed.py, RoPE2D",
               .note = "Layout half and pairing half within each axis: channel m of an axis turns "
                       "with m + d / 4. RoPE100 is its base, --base 100. It keeps a table of one "
                       "axis; here y and x are side by side."},
    PresetSpec{.name = "dinov3",
               .aliases = "dino-v3 dino3",
               .settings = "--base 100 --coords cells --freq-scale 2*pi",
               .summary = "DINOv3: middles of cells between -1 and 1, times 2 pi",
               .source = "facebookresearch/dinov3, dinov3/layers/rope_position_encoding.py",
               .note = "Layout half, pairing half: channel m turns with m + d / 2. "
                       "normalize_coords is --normalize. Its released weights hold the periods "
                       "rounded to bfloat16, as timm says: cosines are then off by up to 0.008. "
                       "Class and register tokens are not "
                       "rotated and not in its table: --prefix-tokens. min_period and max_period "
                       "are --spectrum geometric --freqs 1/min,1/max as numbers. Its training "
                       "shifts, jitters and rescales the coordinates; this is the table without."},
    PresetSpec{.name = "efficientloftr",
               .aliases = "eloftr",
               .settings = "--d 256 --order ka --start 1 --layout interleaved",
               .summary = "EfficientLoFTR: y and x in turn, counted from 1",
               .source = "zju3dv/EfficientLoFTR, src/loftr/utils/position_encoding.py, "
                         "RoPEPositionEncodingSine",
               .note = "Pairing interleaved: channel 2m turns with 2m + 1. For images of another "
                       "size than in training, 832, --start and --step are both 832/height, "
                       "832/width. Its usual table is rounded to float16."},
    PresetSpec{.name = "eva02",
               .aliases = "eva-02",
               .settings = "--ref-extent 16 --layout interleaved",
               .summary = "EVA-02: y before x, coordinates rescaled to the 16 of pretraining",
               .source = "baaivision/EVA, EVA-02/asuka/rope.py",
               .note = "Layout interleaved, pairing interleaved: channel 2m turns with 2m + 1. "
                       "Its dim is half of a head: --d is twice that. --ref-extent is "
                       "pt_seq_len. The class token is not rotated and not in its table."},
    PresetSpec{.name = "flux",
               .settings = "--depth 1 --height 64 --width 64 --d 128 --split 16,56,56 "
                           "--prefix-tokens 512 --layout interleaved",
               .summary = "FLUX.1: 16 channels for an index of images, 56 for y, 56 for x",
               .source = "black-forest-labs/flux, src/flux/math.py",
               .note = "Pairing interleaved: channel 2m turns with 2m + 1. Its own code keeps "
                       "--table matrices, Diffusers cos and sin in this layout. Text comes first "
                       "and stands at 0: 512 tokens of dev, 256 of schnell. --height and --width "
                       "are pixels / 16."},
    PresetSpec{.name = "flux2",
               .aliases = "flux-2",
               .settings = "--depth 1 --height 64 --width 64 --d 128 --split 32,32,32 "
                           "--unrotated 32 --base 2000 --layout interleaved",
               .summary = "FLUX.2: four axes of 32 channels, the last one for text alone",
               .source = "huggingface/diffusers, src/diffusers/models/transformers/"
                         "transformer_flux2.py",
               .note = "Pairing interleaved: channel 2m turns with 2m + 1. This is the table of an "
                       "image; its fourth index, of text tokens, is 0. Images of reference have "
                       "t 10, 20, ...: --start 10,0,0."},
    PresetSpec{.name = "gemma4-vision",
               .settings = "--d 72 --base 100 --axes xy --layout axis-half",
               .summary = "the vision encoder of Gemma 4: x before y, halves within each axis",
               .source = "huggingface/transformers, src/transformers/models/gemma4/"
                         "modeling_gemma4.py, Gemma4VisionRotaryEmbedding",
               .note = "Layout half and pairing half within each axis: channel m of an axis turns "
                       "with m + 18."},
    PresetSpec{.name = "hunyuan-dit",
               .aliases = "hunyuandit",
               .settings = "--height 64 --width 64 --d 88 --axes xy --step 0.5 "
                           "--layout interleaved",
               .summary = "Hunyuan-DiT: x before y, positions resized to a base of 32 x 32",
               .source = "huggingface/diffusers, src/diffusers/models/embeddings.py, "
                         "get_2d_rotary_pos_embed",
               .note = "Pairing interleaved: channel 2m turns with 2m + 1. --height and --width "
                       "are pixels / 16. A square of n x n has --step 32/n as a number; the "
                       "shorter side of another one is centred, with a --start of its own."},
    PresetSpec{.name = "hunyuan-video",
               .aliases = "hunyuanvideo hunyuan-video-1.5 framepack",
               .settings = "--depth 33 --height 45 --width 80 --d 128 --split 16,56,56 --base 256 "
                           "--layout interleaved",
               .summary = "HunyuanVideo: 16 channels for t, 56 for y, 56 for x, base 256",
               .source = "huggingface/diffusers, src/diffusers/models/transformers/"
                         "transformer_hunyuan_video.py",
               .note = "Pairing interleaved: channel 2m turns with 2m + 1. Depth counts latent "
                       "frames, height and width are pixels / 16. The text is not rotated and not "
                       "in its table."},
    PresetSpec{.name = "kandinsky5",
               .aliases = "kandinsky-5",
               .settings = "--depth 31 --height 32 --width 48 --d 64 --split 16,24,24 "
                           "--layout interleaved",
               .summary = "Kandinsky 5: rotation matrices of frames, y and x",
               .source = "huggingface/diffusers, src/diffusers/models/transformers/"
                         "transformer_kandinsky.py",
               .note = "It keeps --table matrices; pairing interleaved: channel 2m turns with "
                       "2m + 1. Its scale_factor divides positions: --step 1/factor, of t, y "
                       "and x."},
    PresetSpec{.name = "llama4-vision",
               .settings = "--height 24 --width 24 --d 88 --axes xy --start 1 --suffix-tokens 1 "
                           "--layout interleaved",
               .summary = "Llama 4's vision encoder: x before y, counted from 1, class token last",
               .source = "huggingface/transformers, src/transformers/models/llama4/"
                         "modeling_llama4.py",
               .note = "Complex there, --table freqs-cis; pairing interleaved: channel 2m turns "
                       "with 2m + 1. The class token is the last row, not the first, and is not "
                       "rotated."},
    PresetSpec{.name = "llamagen",
               .settings = "--height 24 --width 24 --d 64 --prefix-rows 1",
               .summary = "LlamaGen: y before x, behind rows of zeros for class or text",
               .source = "FoundationVision/LlamaGen, autoregressive/models/gpt.py",
               .note = "It keeps --table freqs-cis; pairing interleaved: channel 2m turns with "
                       "2m + 1. Rows of zeros, cos too, make queries and keys of the prefix "
                       "vanish: a class has one, text 120, --prefix-rows 120."},
    PresetSpec{.name = "ltx-video",
               .aliases = "ltx ltxv",
               .settings = "--depth 13 --height 16 --width 24 --d 2048 --unrotated 2 "
                           "--unrotated-at front --order ka --spectrum geometric "
                           "--freqs 1,10000 --freq-scale pi/2 --start -1 --step 0.032,0.03125,"
                           "0.03125 --layout interleaved",
               .summary = "LTX-Video: t, y and x in turn over all heads, coordinates from -1",
               .source = "huggingface/diffusers, src/diffusers/models/transformers/"
                         "transformer_ltx.py",
               .note = "Pairing interleaved: channel 2m turns with 2m + 1. --d is the width of all "
                       "heads, which have other channels of it. A step of t is 2 * 8 / fps / 20, "
                       "here at 25 frames a second; of y and x 2 * 32 / 2048."},
    PresetSpec{.name = "lucidrains-axial",
               .settings = "--d 32 --coords linspace --spectrum linear --freqs 1,128 "
                           "--freq-scale pi --layout interleaved",
               .summary = "rotary-embedding-torch, get_axial_freqs with freqs_for pixel",
               .source = "lucidrains/rotary-embedding-torch, rotary_embedding_torch/"
                         "rotary_embedding_torch.py",
               .note = "Layout interleaved, pairing interleaved. Its dim is that of one axis: "
                       "--d is dim times axes. max_freq is 256: --freqs 1,max_freq/2 as a number."},
    PresetSpec{.name = "lumina-next",
               .aliases = "lumina-t2x visionllama",
               .settings = "--d 72 --order ka",
               .summary = "Lumina-Next: y and x in turn, each with all frequencies",
               .source = "huggingface/diffusers, src/diffusers/models/embeddings.py, "
                         "get_2d_rotary_pos_embed_lumina",
               .note = "It keeps --table freqs-cis; pairing interleaved: channel 2m turns with "
                       "2m + 1. ntk_factor multiplies --base, linear_factor divides --step."},
    PresetSpec{.name = "lumina2",
               .aliases = "lumina-2 lumina-image-2",
               .settings = "--depth 1 --height 64 --width 64 --d 96 --split 32,32,32",
               .summary = "Lumina-Image 2: 32 channels for the place in the text, y and x each",
               .source = "huggingface/diffusers, src/diffusers/models/transformers/"
                         "transformer_lumina2.py",
               .note = "It keeps --table freqs-cis; pairing interleaved: channel 2m turns with "
                       "2m + 1. The image is at the end of its text: for a text of n tokens, "
                       "--start n,0,0."},
    PresetSpec{.name = "magi-1",
               .settings = "--depth 6 --height 30 --width 52 --d 96 "
                           "--start 0,-(height-1)/2,-(width-1)/2 --layout single",
               .summary = "MAGI-1 before training: y and x are counted from the middle",
               .source = "SandAI-org/MAGI-1, inference/model/dit/dit_module.py, "
                         "LearnableRotaryEmbeddingCat",
               .note = "Sines first in its table; pairing half: channel m turns with m + 48, and "
                       "32 of a head's 128 channels do not turn. Its frequencies are learned: "
                       "rope-mixed has a file of them."},
    PresetSpec{.name = "moonvit",
               .aliases = "kimi-vl-vision",
               .settings = "--d 72 --axes xy --order ka",
               .summary = "MoonViT, of Kimi-VL: x and y in turn, each with all frequencies",
               .source = "moonshotai/Kimi-VL-A3B-Instruct, modeling_kimi_vl.py, Rope2DPosEmb",
               .note = "It keeps --table freqs-cis; pairing interleaved: channel 2m turns with "
                       "2m + 1. Its images also have a learned table, which is added."},
    PresetSpec{.name = "pixtral",
               .settings = "--spectrum strided",
               .summary = "Pixtral: y has the even frequencies of one spectrum, x the odd ones",
               .source = "huggingface/transformers, src/transformers/models/pixtral/"
                         "modeling_pixtral.py",
               .note = "Layout half, pairing half, with Hugging Face's weights. Mistral's own "
                       "weights pair 2m with 2m + 1, and its table is complex: --table freqs-cis. "
                       "Strided are the frequencies; the channels of an axis stand together."},
    PresetSpec{.name = "qwen-image",
               .settings = "--depth 1 --height 64 --width 64 --d 128 --split 16,56,56 "
                           "--start 0,-ceil(height/2),-ceil(width/2)",
               .summary = "Qwen-Image: y and x are counted from the middle of the image",
               .source = "huggingface/diffusers, src/diffusers/models/transformers/"
                         "transformer_qwenimage.py",
               .note = "It keeps --table freqs-cis; pairing interleaved: channel 2m turns with "
                       "2m + 1. The text has t, y and x alike, from max(height, width) "
                       "/ 2 on."},
    PresetSpec{.name = "qwen2-vl-vision",
               .settings = "--d 80 --merge 2",
               .summary = "the vision encoder of Qwen2-VL: y before x, patches by blocks of 2 x 2",
               .source = "huggingface/transformers, src/transformers/models/qwen2_vl/"
                         "modeling_qwen2_vl.py",
               .note = "Layout half, pairing half: channel m turns with m + d / 2. The patches of "
                       "each 2 x 2 that it merges follow each other; --merge 1 is the order of the "
                       "image. Qwen3-VL has --d 72. The language model has mrope."},
    PresetSpec{
        .name = "qwen2.5-vl-vision",
        .settings = "--d 80 --merge 2 --window 8",
        .summary = "the vision encoder of Qwen2.5-VL: patches by windows of 8 x 8, in blocks",
        .source = "huggingface/transformers, src/transformers/models/qwen2_5_vl/"
                  "modeling_qwen2_5_vl.py",
        .note = "As qwen2-vl-vision, but the patches of each window of 112 pixels follow each "
                "other; those at the right and bottom edge may be smaller. All layers have "
                "this order, also those that attend to the whole image."},
    PresetSpec{.name = "rope-vit",
               .aliases = "rope-axial",
               .settings = "--base 100 --axes xy --layout interleaved",
               .summary = "RoPE-ViT, axial: x before y, base 100",
               .source = "naver-ai/rope-vit, deit/models_v2_rope.py",
               .note = "Complex there, --table freqs-cis; pairing interleaved: channel 2m turns "
                       "with 2m + 1. Its mixed variant is rope-vit-mixed. "
                       "The class token is not rotated and not in its table."},
    PresetSpec{.name = "sam2-rope",
               .settings = "--height 64 --width 64 --d 256 --axes xy --layout interleaved",
               .summary = "SAM 2's memory attention: x before y",
               .source = "facebookresearch/sam2, sam2/modeling/position_encoding.py",
               .note = "Complex there, --table freqs-cis; pairing interleaved: channel 2m turns "
                       "with 2m + 1. For memories of several frames the rows are repeated. sam2 "
                       "is the encoding of its images, a sum."},
    PresetSpec{.name = "timm-rope",
               .settings = "--layout interleaved",
               .summary = "timm's RotaryEmbeddingCat as its models use it: in_pixels=False",
               .source = "huggingface/pytorch-image-models, timm/layers/pos_embed_sincos.py",
               .note = "Sines first: its table is --table sin-cos, twice as wide as a head. Layout "
                       "interleaved, pairing interleaved. ref_feat_shape is --ref-extent, "
                       "grid_offset --start, grid_indexing xy --axes xy."},
    PresetSpec{
        .name = "timm-rope-pixels",
        .settings = "--coords linspace --spectrum geometric --freqs 1,112 --freq-scale pi "
                    "--layout interleaved",
        .summary = "timm's RotaryEmbeddingCat with its defaults: in_pixels=True, max_res 224",
        .source = "huggingface/pytorch-image-models, timm/layers/pos_embed_sincos.py",
        .note = "Sines first: its table is --table sin-cos. Layout interleaved, pairing "
                "interleaved. --freqs is 1,max_res/2 as numbers; linear_bands is "
                "--spectrum linear."},
    PresetSpec{
        .name = "v-jepa2",
        .aliases = "vjepa2",
        .settings = "--depth 8 --height 16 --width 16 --d 60 --layout axis-half",
        .summary = "V-JEPA 2: frames, y and x have 20 of a head's 64 channels each",
        .source = "facebookresearch/vjepa2, src/models/utils/modules.py",
        .note = "Layout half within each axis, but pairing interleaved: channels 2m and 2m + 1 get "
                "the angles of different frequencies, so this is not a rotation and lengths "
                "change. Its weights need it so. --d is 3 times the even number not above a third "
                "of a head; the channels beyond are not rotated and not in the table."},
    PresetSpec{.name = "wan-video",
               .aliases = "wan wan2.1 wan2.2 wan-rope skyreels-v2 chronoedit",
               .settings = "--depth 21 --height 30 --width 52 --d 128 --split 44,42,42 "
                           "--layout interleaved",
               .summary = "Wan 2.1 and 2.2: 44 channels for t, 42 for y, 42 for x",
               .source = "huggingface/diffusers, src/diffusers/models/transformers/"
                         "transformer_wan.py",
               .note = "Pairing interleaved: channel 2m turns with 2m + 1. Wan's own code keeps "
                       "--table freqs-cis. Depth counts latent frames, height and width are "
                       "pixels / 16."},
    PresetSpec{.name = "z-image",
               .settings = "--depth 1 --height 64 --width 64 --d 128 --split 32,48,48 --base 256",
               .summary = "Z-Image: 32 channels for the place in the text, 48 for y, 48 for x",
               .source = "huggingface/diffusers, src/diffusers/models/transformers/"
                         "transformer_z_image.py",
               .note = "It keeps --table freqs-cis; pairing interleaved: channel 2m turns with "
                       "2m + 1. The image is behind its text: for a text of n tokens, padded, "
                       "--start n+1,0,0."},
};

/// Sets the parameters that the user did not give: "--d 128 --split 16,56,56".
Parameters with_settings(Parameters p, std::string_view settings) {
    const std::vector<std::string_view> tokens = words(settings);
    for (std::size_t i = 0; i + 1 < tokens.size(); i += 2) {
        const std::string_view name = tokens[i].substr(2);
        if (!p.given(name)) p.set(name, tokens[i + 1], Origin::preset);
    }
    return p;
}

/// Returns the plan of the preset, with the sizes, that a model's file asks for.
Plan plan_with_config(Parameters p, std::string_view table) {
    check_no_preset(p, "rope-grid");
    const std::string path = p.word("config");
    const SizedCommand command = read_grid_config(path);
    const std::size_t end = std::min(command.text.find(' '), command.text.size());
    const auto preset =
        std::ranges::find(rope_grid_presets, command.text.substr(0, end), &PresetSpec::name);
    std::vector<std::string> sources{fmt::format("preset {}", preset->name)};
    for (const auto& [parameter, source] : command.taken) {
        const bool is_new = std::ranges::find(sources, source) == sources.end();
        if (!p.given(parameter) && is_new) sources.push_back(source);
    }
    const bool has_options = std::ranges::any_of(p.entries(), [](const auto& entry) {
        return entry.origin == Origin::user && entry.spec->name != "config";
    });
    // The file may change, so the parameters record its values instead of its name.
    p.resolve("config", {});
    try {
        p = with_settings(std::move(p), preset->settings);
        p = with_settings(std::move(p), std::string_view(command.text).substr(end));
        p.evaluate_expressions();
        Plan result = plan_of(std::move(p), table);
        result.notes = {fmt::format("{}: took {}", path, joined(sources, ", "))};
        return result;
    } catch (const UsageError& error) {
        if (has_options) throw;
        throw FormatError(path, error.what());
    }
}

Plan plan(Parameters given, std::string_view table) {
    return given.has("config") ? plan_with_config(std::move(given), table)
                               : plan_of(std::move(given), table);
}

}  // namespace

/// The tables that rotate the pairs of a head by the place of a token in an image, in a video, or
/// among the points of a file. Each axis has a block of the pairs, in the order of --axes, or with
/// --order ka every second or third pair. The tables do not say which channels form a pair;
/// --layout only says where the values are. i counts from 0. The points run along x fastest and t
/// slowest, or with --window and --merge by windows and blocks. n is the extent of the axis, d_a
/// the number of its channels, from --split. A single point of linspace is at -1. With --normalize
/// max or min, n of every axis is the largest or smallest extent. Points of a file are in its
/// order.
///
/// Tables: cos, sin and sin-cos (token, channel), freqs-cis (token, frequency, function), matrices
/// (token, frequency, output, input), angles (token, frequency), inv-freq and wavelengths
/// (frequency). Correctly rounded unless --arith says otherwise; coordinates are kept as quotients.
/// pi is the nearest double, as in all known code.
extern constinit const Encoding rope_grid{
    .name = "rope-grid",
    .summary =
        "rotary positions for images and videos: each axis rotates its own pairs of channels",
    .formula =
        "cos[token, (a, k)] = cos(p_a * w[a, k]),  sin likewise;  p_a: coordinate on axis a\n"
        "w[a, k] = freq-scale * base^(-2m / D),  k = 0 ... d_a / 2 - 1;  by --spectrum\n"
        "  own: m = k, D = d_a;  strided: m = axes * k + rank of a, D = d - unrotated;\n"
        "  sections: m = k + pairs of the axes before, D = d - unrotated\n"
        "  linear, geometric: instead of the power, even steps or ratios between --freqs\n"
        "p_a = c * ref-extent / n or c;  by --coords  index: c = start + step * i;\n"
        "  linspace: c = 2i / (n - 1) - 1;  cells: c = (2i + 1) / n - 1;  of --points: as they are",
    .source =
        "Fang et al. 2023, EVA-02, arXiv:2303.11331; Heo et al. 2024, arXiv:2403.13298, "
        "section 3",
    .examples =
        "rope-grid --height 2 --width 3 --d 16 --layout interleaved\n"
        "rope-grid --height 14 --width 14 --table sin --png rope-grid.png\n"
        "rope-grid --height 24 --width 24 --d 64 --coords cells --table cos --npy cos.npy",
    .parameters = parameters,
    .tables = tables,
    .presets = rope_grid_presets,
    .plan = plan};

}  // namespace pegen::encodings

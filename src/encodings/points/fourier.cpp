#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <numeric>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "core/to_size.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/channel_parameters.h"
#include "encodings/parameters/checks.h"
#include "encodings/parameters/grid_axes.h"
#include "encodings/parameters/wave_cell.h"
#include "encodings/points/coordinates.h"
#include "encodings/points/fourier_channels.h"
#include "encodings/points/fourier_presets.h"
#include "encodings/points/fourier_recognition.h"
#include "encodings/points/frequency_bands.h"
#include "encodings/points/frequency_weights.h"
#include "encodings/points/point_parameters.h"
#include "encodings/points/points_file.h"
#include "numerics/float32_angles.h"
#include "numerics/plane_waves.h"
#include "numerics/real.h"
#include "numerics/sinusoid.h"
#include "rows/grid_rows.h"
#include "rows/merged.h"

namespace pegen::encodings {
namespace {

using numerics::Coordinates;
using numerics::Frequencies;

constexpr std::array parameters{
    points_parameter,
    height_parameter,
    width_parameter,
    depth_parameter,
    coords_parameter,
    ParameterSpec{
        .name = "freqs",
        .type = ParameterType::text,
        .default_value = "pow2:10",
        .summary =
            "pow2:K, pow2:LO:HI, linear:LO:HI:K, logspace:LO:HI:K, geometric:BASE:K or a,b,c; or "
            "one of these per axis, separated by /"},
    freq_scale_parameter,
    order_parameter,
    point_axes_parameter,
    first_parameter,
    keep_channels_parameter,
    view_parameter,
    ParameterSpec{
        .name = "raw",
        .type = ParameterType::word,
        .default_value = "none",
        .choices = "none before after after-each",
        .summary = "add the coordinates as channels: before or after all others, or by axis"},
    window_parameter,
    variances_parameter,
    ParameterSpec{.name = "pad-to",
                  .type = ParameterType::integer,
                  .range = any_channel_count,
                  .summary = "zeros behind all others, up to N channels",
                  .is_rare = true},
    rare_arith_parameter("the exact formula, or float32 arithmetic: (x * nu) * freq-scale"),
};

/// What the parameters say of the channels and the frequencies, for points of so many axes.
struct Features {
    FourierChannels channels;
    std::vector<Frequencies> bands;  ///< nu: one for all axes, or one for each
    double freq_scale;
    FrequencyWeights weights;
    bool is_exact;  ///< by --arith

    const Frequencies& of_axis(std::size_t index) const {
        return bands[bands.size() == 1 ? 0 : index];
    }
};

std::vector<Frequencies> bands_of(const Parameters& p) {
    std::vector<Frequencies> bands;
    for (const std::string_view of_axis : frequencies_of_axes(p.word("freqs"))) {
        bands.push_back(parse_frequency_bands(of_axis));
    }
    return bands;
}

/// Throws: UsageError if --pad-to is less than there are.
std::int64_t padding_of(const Parameters& p, const FourierChannels& channels) {
    if (!p.has("pad-to")) return 0;
    const std::int64_t padding = p.integer("pad-to") - channels.count();
    if (padding >= 0) return padding;
    throw UsageError(fmt::format("--pad-to {}: there are {} channels already", p.integer("pad-to"),
                                 channels.count()));
}

/// `ranks` has the rank of each axis of the points among the channels.
Features features_of(const Parameters& p, const std::vector<std::int64_t>& ranks,
                     const PointsFile* file) {
    const std::int64_t axes = std::ssize(ranks);
    const std::size_t given = frequencies_of_axes(p.word("freqs")).size();
    if (given != 1 && given != to_size(axes)) {
        throw UsageError(
            fmt::format("--freqs {}: has {} parts; must have 1{}; a slash separates the axes, so a "
                        "quotient in a list is written (1/3)",
                        p.word("freqs"), given,
                        axes > 1 ? fmt::format(", or {}, one for each axis", axes) : ""));
    }
    std::vector<Frequencies> bands = bands_of(p);
    const std::int64_t count = bands.front().size();
    FourierChannels channels{axes, count, p.word("order"), p.word("raw"), p.word("first") == "sin"};
    const auto has_count = [=](const Frequencies& of_axis) { return of_axis.size() == count; };
    if (!std::ranges::all_of(bands, has_count)) {
        if (channels.order.front() != 'a') {
            throw UsageError(
                fmt::format("--freqs {}: must have the same number of frequencies for "
                            "each axis with --order {}; use akf or afk",
                            p.word("freqs"), channels.order));
        }
        channels.own_frequencies.resize(ranks.size());
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            channels.own_frequencies[to_size(ranks[i])] = bands[i].size();
        }
    }
    channels.padding = padding_of(p, channels);
    FrequencyWeights weights = frequency_weights_of(p, file);
    if (!is_exact(p) && weights.are_any()) {
        throw UsageError(
            "--arith float32: has neither --window nor --variances; use --arith exact");
    }
    return {std::move(channels), std::move(bands), p.real("freq-scale"), std::move(weights),
            is_exact(p)};
}

/// An axis of the points, by its index among them and its rank among the channels.
struct PointAxis {
    std::int64_t index;
    std::int64_t rank;
    std::vector<double> variances{};  ///< of its coordinates, or none
};

constexpr std::string_view angle_options = "--freqs, --freq-scale, the coordinates";

/// Throws: UsageError if an angle is too large.
void check_waves(const Features& features, const numerics::WaveAxis& axis) {
    const double angle = numerics::largest_angle_of({axis}, features.freq_scale);
    if (!(angle <= numerics::largest_angle)) {
        throw UsageError(fmt::format("{}: an angle would be {} radians; they end at 2^100",
                                     angle_options, shortest(angle)));
    }
    if (features.is_exact) return;
    const double frequency = axis.weights.largest();
    check_float32(frequency * std::max(axis.coordinates.largest(), 1.0), angle_options);
}

/// Returns the waves for each coordinate of the axis: all channels, those of other axes zero.
RowSource wave_rows(const Features& features, const Coordinates& coordinates, PointAxis axis,
                    DType dtype) {
    const numerics::WaveAxis waves{{coordinates, 1}, features.of_axis(to_size(axis.index))};
    check_waves(features, waves);
    const numerics::ChannelLayout channels = layout(features.channels, axis.rank);
    if (!features.is_exact) {
        return numerics::float32_wave_rows(
            numerics::projected_angles({waves}, to_float32("freq-scale", features.freq_scale)),
            channels, 1, dtype);
    }
    if (!features.weights.are_any()) {
        return numerics::plane_wave_rows({waves}, features.freq_scale, channels, dtype);
    }
    const Frequencies nu = scaled(waves.weights, features.freq_scale);
    return numerics::weighted_waves(coordinates, nu, channels,
                                    wave_weights(features.weights, nu, std::move(axis.variances)),
                                    dtype);
}

/// Returns the waves, and the coordinate itself with --raw.
RowSource axis_rows(const Features& features, const Coordinates& coordinates, PointAxis axis,
                    DType dtype) {
    const FourierChannels& channels = features.channels;
    RowSource waves = wave_rows(features, coordinates, axis, dtype);
    if (!channels.is_raw()) return waves;
    check_holds(dtype, coordinates.largest(), "the largest coordinate");
    return with_coordinates(std::move(waves), coordinates, raw_column(channels, axis.rank),
                            channels.count(), dtype);
}

/// An axis of a grid of points.
struct GridAxis {
    char name;  ///< t, y or x
    Coordinates coordinates;
    std::int64_t rank;  ///< among the channels
};

/// Returns frequency k, in radians per unit of the coordinates.
Term frequency_term(const Features& features, const Frequencies& bands, std::int64_t k) {
    const Term nu = digits_term([=] { return bands.reals()[to_size(k)]; });
    const double scale = features.freq_scale;
    return {[=] { return nu.value() * scale; },
            scale == 1 ? nu.text : fmt::format("{} * {}", shortest(scale), nu.text)};
}

/// Returns the cell of a channel of the axis's coordinate `position`; nothing if the channel is of
/// another axis.
std::optional<Cell> cell_along(const Features& features, const Term& position,
                               const PointAxis& axis, std::int64_t channel) {
    const FourierChannels& channels = features.channels;
    if (channels.is_raw() && channel == raw_column(channels, axis.rank)) {
        return Cell{.value = position, .note = "The channel is the coordinate itself, by --raw."};
    }
    const numerics::ChannelLayout waves = layout(channels, axis.rank);
    if (!content_of(waves, channel)) return std::nullopt;
    const Frequencies& bands = features.of_axis(to_size(axis.index));
    Cell cell = layout_cell(1, waves, channel, position,
                            [&](std::int64_t k) { return frequency_term(features, bands, k); });
    if (features.weights.are_any()) {
        cell.value = {nullptr, fmt::format("weight * {}", cell.value.text)};
    }
    return cell;
}

Cell cell_of(const Features& features, const std::vector<GridAxis>& axes,
             const std::vector<std::int64_t>& point, std::int64_t channel) {
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto& [name, coordinates, rank] = axes[i];
        const Term position = coordinate_term(coordinates, point[i]);
        std::optional<Cell> cell =
            cell_along(features, position, {static_cast<std::int64_t>(i), rank}, channel);
        if (!cell) continue;
        cell->of = name;
        return *cell;
    }
    return zero_cell("The channel is filled up with zeros, by --pad-to.");
}

Plan grid_plan(Parameters p) {
    p = resolve_axes(std::move(p));
    std::vector<GridAxis> axes;
    std::vector<std::int64_t> extents;
    for (const char axis : axes_of(p)) {
        extents.push_back(extent(p, axis));
        axes.push_back({axis, grid_coordinates(p.word("coords"), extents.back()),
                        static_cast<std::int64_t>(p.word("axes").find(axis))});
    }
    std::vector<std::int64_t> ranks;
    for (const GridAxis& axis : axes) ranks.push_back(axis.rank);
    const Features features = features_of(p, ranks, nullptr);
    const std::int64_t points = point_count(p);
    return {.parameters = std::move(p),
            .shape = {points, features.channels.count()},
            .axes = {point_axis(extents), channel_axis()},
            .make_rows =
                [=](DType dtype) {
                    std::vector<rows::GridAxis> tables;
                    for (const auto& [name, coordinates, rank] : axes) {
                        tables.push_back(
                            {axis_rows(features, coordinates, {std::ssize(tables), rank}, dtype),
                             coordinates.size()});
                    }
                    return rows::point_rows(tables, features.channels.count(), dtype);
                },
            .pairs = [channels = features.channels] { return pairs_of(channels); },
            .cell =
                [=](std::span<const std::int64_t> index) {
                    return cell_of(features, axes, index_of(index[0], extents), index[1]);
                }};
}

Plan file_plan(Parameters p) {
    p = without_grid(std::move(p));
    const PointsFile file = open_points(p.word("points"));
    std::vector<std::int64_t> ranks(to_size(file.axes()));
    std::iota(ranks.begin(), ranks.end(), 0);
    const Features features = features_of(p, ranks, &file);
    const std::int64_t channels = features.channels.count();
    if (channels > most_channels) {
        throw UsageError(
            fmt::format("--points {}: {} channels; they end at 2^20, use fewer "
                        "--freqs",
                        p.word("points"), channels));
    }
    return {.parameters = std::move(p),
            .shape = {file.points(), channels},
            .axes = {point_axis({}), channel_axis()},
            .make_rows = [=](DType dtype) {
                std::vector<RowSource> sources;
                std::vector<std::vector<double>> variances = read_variances(features.weights);
                variances.resize(to_size(file.axes()));
                for (std::vector<double>& axis : read_points(file)) {
                    const auto index = std::ssize(sources);
                    sources.push_back(
                        axis_rows(features, Coordinates(Positions(std::move(axis))),
                                  {index, index, std::move(variances[to_size(index)])}, dtype));
                }
                return rows::merged(std::move(sources));
            }};
}

Plan plan(Parameters p, std::string_view) {
    if (p.word("raw") == "after-each" && p.word("order").front() != 'a') {
        throw UsageError(
            fmt::format("--raw after-each: --order {} has no channels of one axis together; use "
                        "--order akf or afk, or --raw after",
                        p.word("order")));
    }
    return p.has("points") ? file_plan(std::move(p)) : grid_plan(std::move(p));
}

constexpr std::array tables{TableSpec{.name = "encoding",
                                      .summary = "the encoding, (points, features)",
                                      .title = "Fourier Features ({freqs}, order {order})",
                                      .value_label = "Positional Encoding Values",
                                      .promises = "rotation offset spacing"}};

}  // namespace

/// x_a is the point's coordinate on axis a: column a of the array in --points, or of a grid of n
/// points along the axis, i = 0 ... n - 1; linspace gives LO if n is 1, linear gives LO if K is 1.
/// Axes count in the order --axes or of the file's columns, functions in that of --first. With
/// --raw the coordinates are channels too: before or after all others, or each after those of its
/// axis.
///
/// --window multiplies the waves of frequency k by a weight that grows from 0 to 1 as X grows from
/// k to k + 1 (Park et al. 2021, Nerfies, arXiv:2011.12948, equation 8); --variances by the mean
/// over a normal distribution of the coordinate (Barron et al. 2021, Mip-NeRF, arXiv:2103.13415,
/// equation 14).
///
/// Table: encoding (points, features), axes (point, channel); features = axes * 2 K, and one more
/// for each axis with --raw. Points of a grid run along x fastest, t slowest.
/// Correctly rounded, with all numbers as the doubles they are, unless --arith float32 rounds every
/// step: x_a, nu, their product and that with freq-scale. pi is the double nearest to it, as in
/// everybody's code. For a file, eight bytes are kept for each coordinate, sixteen with --raw, and
/// sixteen more with --window or --variances; there may be 2^28.
extern constinit const Encoding fourier{
    .name = "fourier",
    .summary = "sines and cosines of real-valued coordinates: NeRF, Perceiver and others",
    .formula =
        "PE[point, (a, k, f)] = f(x_a * freq-scale * nu[k]),  f = sin, cos\n"
        "x_a: the point's coordinate on axis a, from a file or by --coords; nu: --freqs\n"
        "(a, k, f): the rank in --order, slowest first\n"
        "linspace:LO:HI  x[i] = LO + (HI - LO) i / (n - 1);  center:SCALE  x[i] = (2i + 1 - n) "
        "SCALE / n\n"
        "pow2: 2^k; linear:LO:HI:K  LO + (HI - LO) k / (K - 1); geometric:BASE:K  BASE^(k / K)\n"
        "logspace:LO:HI:K  LO (HI / LO)^(k / (K - 1))\n"
        "--window X: times (1 - cos(pi min(max(X - k, 0), 1))) / 2\n"
        "--variances v_a: times exp(-(freq-scale * nu[k])^2 v_a / 2)",
    .source =
        "Mildenhall et al. 2020, NeRF, arXiv:2003.08934; Jaegle et al. 2021, Perceiver, "
        "arXiv:2103.03206",
    .examples =
        "fourier --height 2 --width 3 --freqs pow2:2\n"
        "fourier --height 16 --width 16 --freqs linear:1:8:8 --freq-scale pi --png fourier.png\n"
        "fourier --height 64 --width 64 --coords center:1 --raw before --npy fourier.npy",
    .parameters = parameters,
    .tables = tables,
    .presets = fourier_presets,
    .plan = plan,
    .recognize = recognize_fourier};

}  // namespace pegen::encodings

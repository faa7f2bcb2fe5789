#include "encodings/points/fourier.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "core/to_size.h"
#include "encodings/images/grid_axes.h"
#include "encodings/parameters/channel_parameters.h"
#include "encodings/parameters/checks.h"
#include "encodings/points/coordinates.h"
#include "encodings/points/frequency_bands.h"
#include "encodings/points/points_file.h"
#include "numerics/sinusoid.h"
#include "rows/grid_rows.h"

namespace pegen::encodings {
namespace {

using numerics::ChannelLayout;
using numerics::Frequencies;
using numerics::Function;

constexpr std::array parameters{
    ParameterSpec{.name = "points",
                  .type = ParameterType::path,
                  .summary = "NPY file: floats (points, axes), the coordinates"},
    height_parameter,
    width_parameter,
    depth_parameter,
    ParameterSpec{.name = "coords",
                  .type = ParameterType::text,
                  .default_value = "linspace:-1:1",
                  .summary = "linspace:LO:HI, both included, or center:SCALE, middles of cells"},
    ParameterSpec{.name = "freqs",
                  .type = ParameterType::text,
                  .default_value = "pow2:10",
                  .summary = "pow2:K, pow2:LO:HI, linear:LO:HI:K, geometric:BASE:K or a,b,c; or "
                             "one for each axis, between slashes"},
    freq_scale_parameter,
    order_parameter,
    axes_parameter,
    first_parameter,
    ParameterSpec{.name = "raw",
                  .type = ParameterType::word,
                  .default_value = "none",
                  .choices = "none before after after-each",
                  .summary = "the coordinates as channels, too: around all others, or by axis"},
};

/// Where the channels of all axes stand.
struct Channels {
    std::int64_t axes;
    std::int64_t frequencies;
    std::string order;
    std::string raw;
    bool is_sin_first;

    std::int64_t waves_of_axis() const { return 2 * frequencies; }
    bool is_raw() const { return raw != "none"; }
    std::int64_t count() const { return axes * (waves_of_axis() + (is_raw() ? 1 : 0)); }
};

/// From one value of `digit`, a, k or f, to the next.
std::int64_t step(const Channels& channels, char digit) {
    const bool has_raw_within = digit == 'a' && channels.raw == "after-each";
    return stride(channels.order, digit, channels.axes, channels.frequencies) +
           (has_raw_within ? 1 : 0);
}

/// The runs of the axis that is `rank`-th.
ChannelLayout layout(const Channels& channels, std::int64_t rank) {
    const std::int64_t first =
        (channels.raw == "before" ? channels.axes : 0) + rank * step(channels, 'a');
    return numerics::strided(channels.count(), first, {step(channels, 'k'), step(channels, 'f')},
                             channels.frequencies,
                             channels.is_sin_first ? Function::sin : Function::cos);
}

/// The column of the coordinate of the axis that is `rank`-th. Precondition: channels.is_raw().
std::int64_t raw_column(const Channels& channels, std::int64_t rank) {
    if (channels.raw == "before") return rank;
    if (channels.raw == "after") return channels.axes * channels.waves_of_axis() + rank;
    return rank * step(channels, 'a') + channels.waves_of_axis();
}

/// What --freqs says of each axis: once for all, or one by one.
std::vector<std::string_view> bands(const Parameters& p) { return fields(p.word("freqs"), '/'); }

/// Of the axis that is `index`-th in the table's points.
Frequencies frequencies(const Parameters& p, std::int64_t index) {
    const std::vector<std::string_view> texts = bands(p);
    return scaled(parse_frequency_bands(texts[texts.size() == 1 ? 0 : to_size(index)]),
                  {p.real("freq-scale"), 1});
}

/// Throws: UsageError if --freqs does not give each of the axes as many frequencies.
Channels channels_of(const Parameters& p, std::int64_t axes) {
    const auto given = std::ssize(bands(p));
    if (given != 1 && given != axes) {
        throw UsageError(
            fmt::format("--freqs {}: has {} parts; must have 1, or {}, one for each axis",
                        p.word("freqs"), given, axes));
    }
    const std::int64_t count = frequencies(p, 0).size();
    for (std::int64_t index = 1; index < given; ++index) {
        if (frequencies(p, index).size() == count) continue;
        throw UsageError(fmt::format("--freqs {}: must have as many frequencies for each axis",
                                     p.word("freqs")));
    }
    return {axes, count, p.word("order"), p.word("raw"), p.word("first") == "sin"};
}

/// An axis of the points, by its index among them and its rank among the channels.
struct PointAxis {
    std::int64_t index;
    std::int64_t rank;
};

/// A row for each coordinate of the axis, all channels, those of other axes zero.
RowSource axis_rows(const Parameters& p, const Coordinates& coordinates, const Channels& channels,
                    PointAxis axis, DType dtype) {
    const auto [index, rank] = axis;
    const Frequencies omega = scaled(frequencies(p, index), {1, coordinates.divisor});
    check_angles(coordinates.numerators, omega, "--freqs, --freq-scale, the coordinates");
    RowSource waves =
        numerics::sinusoid_rows(coordinates.numerators, omega, layout(channels, rank), 1.0, dtype);
    if (!channels.is_raw()) return waves;
    check_holds(dtype, largest(coordinates), "the largest coordinate");
    return with_coordinates(std::move(waves), coordinates, raw_column(channels, rank),
                            channels.count(), dtype);
}

RowSource grid_rows(const Parameters& p, DType dtype) {
    const std::string_view axes = axes_of(p);
    const Channels channels = channels_of(p, std::ssize(axes));
    std::vector<rows::GridAxis> tables;
    for (const char axis : axes) {
        const Coordinates coordinates = grid_coordinates(p.word("coords"), extent(p, axis));
        const auto rank = static_cast<std::int64_t>(p.word("axes").find(axis));
        tables.push_back({axis_rows(p, coordinates, channels, {std::ssize(tables), rank}, dtype),
                          extent(p, axis)});
    }
    return rows::point_rows(tables, channels.count(), dtype);
}

/// Row i is the bitwise or of the rows i of all sources.
RowSource merged_rows(std::vector<RowSource> sources) {
    return [sources = std::move(sources)](RowRange range, std::span<std::byte> out) {
        sources.front()(range, out);
        std::vector<std::byte> more(sources.size() > 1 ? out.size() : 0);
        for (const RowSource& source : std::span(sources).subspan(1)) {
            source(range, more);
            std::ranges::transform(out, more, out.begin(), std::bit_or<>());
        }
    };
}

/// Refuses rows that a file which became another one since its shape was read does not have.
RowSource guarded(RowSource source, std::string path, std::int64_t rows, std::int64_t row_bytes) {
    return [=, source = std::move(source), path = std::move(path)](RowRange range,
                                                                   std::span<std::byte> out) {
        if (range.first + range.count > rows || std::ssize(out) != range.count * row_bytes) {
            throw FileError(path, "cannot read: it changed while it was read");
        }
        source(range, out);
    };
}

RowSource file_rows(const Parameters& p, DType dtype) {
    std::vector<std::vector<double>> points = read_points(p.word("points"));
    const Channels channels = channels_of(p, std::ssize(points));
    const std::int64_t count = std::ssize(points.front());
    std::vector<RowSource> sources;
    for (std::vector<double>& axis : points) {
        const auto index = std::ssize(sources);
        sources.push_back(
            axis_rows(p, {Positions(std::move(axis)), 1}, channels, {index, index}, dtype));
    }
    return guarded(merged_rows(std::move(sources)), p.word("points"), count,
                   channels.count() * static_cast<std::int64_t>(info(dtype).size));
}

RowSource rows(const Parameters& p, DType dtype) {
    return p.has("points") ? file_rows(p, dtype) : grid_rows(p, dtype);
}

Shape shape(const Parameters& p) {
    if (p.has("points")) {
        const Shape points = points_shape(p.word("points"));
        return {points[0], channels_of(p, points[1]).count()};
    }
    return {point_count(p), channels_of(p, std::ssize(axes_of(p))).count()};
}

Parameters resolve_file(Parameters p) {
    for (const char* name : {"height", "width", "depth", "coords", "axes"}) {
        if (p.given(name)) {
            throw UsageError(
                fmt::format("--{} {}: is of a grid; --points has the points itself, leave --{} out",
                            name, to_string(p.value(name)), name));
        }
        p.resolve(name, {});
    }
    const std::int64_t channels = channels_of(p, points_shape(p.word("points"))[1]).count();
    if (channels <= most_channels) return p;
    throw UsageError(fmt::format("--points {}: {} channels; they end at 2^20, use fewer --freqs",
                                 p.word("points"), channels));
}

Parameters resolve_grid(Parameters p) {
    p = resolve_axes(std::move(p));
    for (const char axis : axes_of(p)) grid_coordinates(p.word("coords"), extent(p, axis));
    return p;
}

Parameters resolve(Parameters p) {
    p = resolve_freq_scale(std::move(p));
    if (p.word("raw") == "after-each" && p.word("order").front() != 'a') {
        throw UsageError(
            fmt::format("--raw after-each: --order {} has no channels of one axis together; use "
                        "--order akf or afk, or --raw after",
                        p.word("order")));
    }
    return p.has("points") ? resolve_file(std::move(p)) : resolve_grid(std::move(p));
}

constexpr std::array axes{AxisSpec{AxisKind::point, "point", "Point"},
                          AxisSpec{AxisKind::channel, "channel", "Embedding Dimension(d_model)"}};

constexpr std::array tables{TableSpec{.name = "encoding",
                                      .summary = "the encoding, (points, features)",
                                      .axes = axes,
                                      .title = "Fourier Features ({freqs}, order {order})",
                                      .value_label = "Positional Encoding Values",
                                      .shape = shape,
                                      .rows = rows}};

}  // namespace

constinit const Encoding fourier{
    .name = "fourier",
    .summary = "sines and cosines of continuous coordinates: NeRF, Perceiver and their kin",
    .formula =
        "PE[point, (a, k, f)] = f(x_a * freq-scale * nu[k]),  f = sin, cos\n"
        "x_a: the point's coordinate on axis a, from a file or by --coords; nu: --freqs\n"
        "(a, k, f): the rank in --order, slowest first\n"
        "linspace:LO:HI  x[i] = LO + (HI - LO) i / (n - 1);  center:SCALE  x[i] = (2i + 1 - n) "
        "SCALE / n\n"
        "pow2: 2^k; linear:LO:HI:K  LO + (HI - LO) k / (K - 1); geometric:BASE:K  BASE^(k / K)",
    .source =
        "Mildenhall et al. 2020, NeRF, arXiv:2003.08934; Jaegle et al. 2021, Perceiver, "
        "arXiv:2103.03206",
    .examples =
        "fourier --height 2 --width 3 --freqs pow2:2\n"
        "fourier --height 16 --width 16 --freqs linear:1:8:8 --freq-scale pi --png fourier.png\n"
        "fourier --height 64 --width 64 --coords center:1 --raw before --npy fourier.npy",
    .parameters = parameters,
    .tables = tables,
    .resolve = resolve};

}  // namespace pegen::encodings

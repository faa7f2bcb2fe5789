#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "figure/plots/curves.h"
#include "figure/plots/plots.h"
#include "figure/plots/view.h"
#include "figure/traces.h"

namespace pegen {
namespace {

std::vector<std::int64_t> channels_of(std::int64_t count, const Parameters& parameters) {
    if (!parameters.has("channels")) return default_channels(count);
    const std::vector<std::int64_t>& channels = parameters.integers("channels");
    if (channels.size() > curve_colours.size()) {
        throw UsageError(fmt::format("--channels: {} given, at most {} can be drawn",
                                     channels.size(), curve_colours.size()));
    }
    check_channels(channels, count);
    return channels;
}

/// The channels to draw, as columns of a table over positions.
struct Shown {
    Table table;
    std::vector<std::int64_t> columns;
    std::vector<std::string> names;  ///< "" for a table of one axis
};

Shown shown(const Table& whole, const Parameters& parameters) {
    const Table table = table_over_positions(whole, parameters);
    if (whole.shape.rank() == 1) return {table, {0}, {""}};
    const bool is_turned = has_channels_first(table);
    std::vector<std::int64_t> channels = channels_of(table.shape[is_turned ? 0 : 1], parameters);
    std::vector<std::string> names;
    for (const std::int64_t channel : channels) {
        const Axis& axis = table.axes[is_turned ? 0 : 1];
        names.push_back(index_name(axis, channel));
    }
    if (!is_turned) return {table, std::move(channels), std::move(names)};
    std::vector<std::int64_t> columns(channels.size());
    std::iota(columns.begin(), columns.end(), 0);
    return {with_channels_last(table, std::move(channels)), std::move(columns), std::move(names)};
}

/// True if dots at `count` points across the axes do not touch.
bool has_room_for_points(std::int64_t count, const Medium& medium) {
    return static_cast<double>(count) * medium.point_width <= medium.axes_alone.width();
}

/// Returns the scale of the values: over frequencies a logarithmic scale, if the limits allow it,
/// as the values are spread over several powers of ten.
ScaleKind scale_of_values(const Table& table, Limits limits) {
    if (is_whole(table)) return ScaleKind::indices;
    const bool is_over_frequencies = table.axes[0].kind == AxisKind::frequency;
    return is_over_frequencies && can_be_logarithmic(limits) ? ScaleKind::powers
                                                             : ScaleKind::values;
}

Figure compose_waves(const Table& whole, const Parameters& parameters, const Medium& medium) {
    const auto [table, columns, names] = shown(whole, parameters);
    const std::int64_t rows = table.shape.rows();
    const bool is_stepped = is_whole(table);
    const bool has_points =
        whole.shape.rank() == 1 && !is_stepped && has_room_for_points(rows, medium);
    std::vector<Series> curves;
    Limits limits = medium.least_limits;
    const int pixels = static_cast<int>(medium.axes_beside_legend.width());
    for (const Trace& trace : traces(table, columns, pixels)) {
        const std::size_t i = curves.size();
        Series series{names[i], curve_colours[i], trace.rows, trace.values, has_points};
        curves.push_back(is_stepped ? stepped(std::move(series)) : std::move(series));
        limits = merge(limits, limits_of(trace.values));
    }
    limits = or_any(limits);
    const double margin = is_stepped ? 0.5 : 0;
    const Limits ends{-margin, static_cast<double>(rows - 1) + margin};
    const ScaleKind along = ScaleKind::indices;
    FigureSpec spec{.x = has_points ? with_margins(along, set_apart(ends))
                                    : scale_along(along, set_apart(ends), medium),
                    .y = with_margins(scale_of_values(table, limits), set_apart(limits))};
    spec.x.axis = AxisOfTable{table.axes[0], rows};
    set_texts(spec, parameters, table.title, table.axes[0].label, table.value_label);
    return compose_curves(std::move(spec), curves, {}, medium);
}

}  // namespace

constinit const Plot plots::waves{
    .name = "waves",
    .summary = "some channels as curves against the position; a table of one axis as its curve",
    .options = "channels",
    .compose = compose_waves,
};

namespace {

/// Returns the curve of a table of wavelengths over the numbers of the channel pairs.
Series series_of(const Table& wavelengths, std::string name, std::size_t colour) {
    Series series{.name = std::move(name),
                  .colour = curve_colours[colour],
                  .x = {},
                  .y = read_rows(wavelengths, {0, wavelengths.shape.rows()}),
                  .has_points = true};
    for (std::size_t i = 0; i < series.y.size(); ++i) {
        series.x.push_back(static_cast<double>(i));
        // Values that are not positive have no place on a logarithmic axis.
        if (!(series.y[i] > 0)) series.y[i] = std::numeric_limits<double>::quiet_NaN();
    }
    return series;
}

void check(Limits limits) {
    if (limits == no_limits) {
        throw UsageError("--plot wavelengths: no pair of channels has one");
    }
    if (can_be_logarithmic(limits)) return;
    throw UsageError(
        fmt::format("--plot wavelengths: they go from {} to {}; a logarithmic axis shows {} to {}",
                    limits.low, limits.high, logarithmic_limits.low, logarithmic_limits.high));
}

Figure compose_wavelengths(const Table& table, const Parameters& parameters, const Medium& medium) {
    if (!table.sibling)
        throw UsageError("--plot wavelengths: files, and tables with flaws, do not tell them");
    const std::vector<NamedTable> all = with_others(table, parameters, "wavelengths");
    const Table& wavelengths = all.front().table;
    std::vector<Series> curves;
    for (const NamedTable& one : all) {
        curves.push_back(series_of(one.table, one.name, curves.size()));
    }
    Limits limits = medium.least_limits;
    double last = 0;
    for (const Series& curve : curves) {
        limits = merge(limits, limits_of(curve.y));
        last = std::max(last, static_cast<double>(curve.x.size()) - 1);
    }
    check(limits);
    FigureSpec spec{.x = with_margins(ScaleKind::indices, set_apart({0, last})),
                    .y = with_margins(ScaleKind::powers, set_apart(limits))};
    set_texts(spec, parameters, all.size() > 1 ? "Wavelengths" : wavelengths.title,
              wavelengths.axes[0].label, wavelengths.value_label);
    return compose_curves(std::move(spec), curves, {}, medium);
}

}  // namespace

constinit const Plot plots::wavelengths{
    .name = "wavelengths",
    .summary =
        "the wavelength of each pair of channels, on a logarithmic axis; --with compares encodings",
    .options = "with",
    .compose = compose_wavelengths,
};

namespace {

/// Returns the Euclidean norm of each row. Reads the table in blocks.
std::vector<double> norms_of(const Table& table) {
    const std::int64_t columns = table.shape.columns(), rows = table.shape.rows();
    const std::int64_t block = rows_holding(1 << 16, columns);
    std::vector<double> norms;
    for (std::int64_t first = 0; first < rows; first += block) {
        const RowRange range{first, std::min(block, rows - first)};
        const std::vector<double> values = read_rows(table, range);
        for (std::int64_t row = 0; row < range.count; ++row) {
            double sum = 0;
            for (std::int64_t i = 0; i < columns; ++i) {
                sum += values[row * columns + i] * values[row * columns + i];
            }
            norms.push_back(std::sqrt(sum));
        }
    }
    return norms;
}

Figure compose_norms(const Table& whole, const Parameters& parameters, const Medium& medium) {
    const Table table = with_channels_last(table_over_positions(whole, parameters));
    const std::int64_t rows = table.shape.rows();
    Series series{.name = "", .colour = curve_colours[0], .x = {}, .y = norms_of(table)};
    for (std::int64_t row = 0; row < rows; ++row) series.x.push_back(static_cast<double>(row));
    const Limits limits = merge(merge({0, 0}, medium.least_limits), limits_of(series.y));
    FigureSpec spec{
        .x = scale_along(ScaleKind::indices, set_apart({0, static_cast<double>(rows - 1)}), medium),
        .y = with_margins(ScaleKind::values, set_apart(limits))};
    if (medium.has_own_size) spec.y.first = 0;
    spec.x.axis = AxisOfTable{table.axes[0], rows};
    set_texts(spec, parameters, table.title, table.axes[0].label, "Norm");
    return compose_curves(std::move(spec), {series}, {}, medium);
}

}  // namespace

constinit const Plot plots::norms{
    .name = "norms",
    .summary = "the Euclidean norm of each position's vector, as a curve",
    .options = "",
    .compose = compose_norms,
};

}  // namespace pegen

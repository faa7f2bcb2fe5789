#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "figure/limits.h"
#include "figure/plots/heatmap.h"
#include "figure/plots/plots.h"
#include "figure/plots/row_grid.h"
#include "figure/plots/view.h"
#include "figure/traces.h"
#include "rows/kept.h"

namespace pegen {
namespace {

constexpr std::int64_t most_maps = 128;
constexpr std::int64_t usual_maps = 16;

/// Returns the columns that --channels chooses; without it all, or 16 of them, evenly spread.
std::vector<std::int64_t> columns_of(std::int64_t count, const Parameters& parameters) {
    if (!parameters.has("channels")) return default_channels(count, usual_maps);
    const std::vector<std::int64_t>& channels = parameters.integers("channels");
    if (std::ssize(channels) > most_maps) {
        throw UsageError(fmt::format("--channels: {} given, at most {} can be drawn",
                                     channels.size(), most_maps));
    }
    check_channels(channels, count);
    return channels;
}

/// Returns a column of the table as a picture: the values at the points of the grid.
Table map_of(const Table& table, std::int64_t column, const RowGrid& grid) {
    auto values = std::make_shared<std::vector<double>>();
    for (std::int64_t y = 0; y < grid.height; ++y) {
        const std::vector<double> line =
            read_rows(table, {grid.rows_before + y * grid.width, grid.width});
        for (std::int64_t x = 0; x < grid.width; ++x) {
            values->push_back(line[x * table.shape.columns() + column]);
        }
    }
    Table map{.shape = {grid.height, grid.width},
              .dtype = DType::float64,
              .axes = {{.kind = AxisKind::pixel, .name = "row", .label = "Row of the Grid"},
                       {.kind = AxisKind::pixel, .name = "column", .label = "Column of the Grid"}},
              .rows = {},
              .title = table.title,
              .value_label = table.value_label,
              .provenance = table.provenance};
    map.has_whole_values = is_whole(table);
    map.rows = rounded(rows::kept_rows(std::move(values), grid.width), DType::float64);
    return map;
}

/// True if all values are within the range of sines and cosines, so that a map of few colours tells
/// of a slow wave.
bool are_like_waves(const std::vector<View>& views) {
    return std::ranges::all_of(views, [](const View& view) {
        const Limits limits = finite_limits(view.table);
        return limits.low >= -1 && limits.high <= 1;
    });
}

Figure compose(const Table& whole, const Parameters& parameters, const Medium& medium) {
    const Table table = with_channels_last(table_over_positions(whole, parameters));
    const RowGrid grid = row_grid(table, parameters);
    std::vector<View> views;
    for (const std::int64_t column : columns_of(table.shape.columns(), parameters)) {
        views.push_back({index_name(table.axes[1], column), map_of(table, column, grid)});
    }
    Parameters options = with_square_cells(parameters);
    const bool are_channels = table.axes[1].kind == AxisKind::channel;
    if (!parameters.given("limits") && are_channels && are_like_waves(views)) {
        options.resolve("limits", std::string("shared"));
    }
    return compose_heatmaps(views, options, medium);
}

}  // namespace

constinit const Plot plots::maps{
    .name = "maps",
    .summary = "each channel, or head, as a picture on the grid whose points the rows are",
    .options = "limits annotate decimals channels row-grid",
    .common_options = colour_options,
    .compose = compose,
};

}  // namespace pegen

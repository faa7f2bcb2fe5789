#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/parameters.h"
#include "core/table.h"
#include "figure/limits.h"
#include "figure/plots/heatmap.h"
#include "figure/plots/plots.h"
#include "figure/plots/view.h"
#include "figure/similarity.h"
#include "figure/traces.h"
#include "rows/kept.h"

namespace pegen {
namespace {

/// The grid whose points the rows of a table are, line by line, after some rows of other tokens,
/// such as a class token.
struct RowGrid {
    std::int64_t rows_before;
    std::int64_t height;
    std::int64_t width;
};

RowGrid given_grid(std::int64_t rows, const Parameters& parameters) {
    const std::vector<double>& extents = parameters.reals("row-grid");
    const double points = extents[0] * extents[1];
    const bool are_whole =
        extents[0] == std::floor(extents[0]) && extents[1] == std::floor(extents[1]);
    if (are_whole && points <= static_cast<double>(rows)) {
        return {rows - static_cast<std::int64_t>(points), static_cast<std::int64_t>(extents[0]),
                static_cast<std::int64_t>(extents[1])};
    }
    throw UsageError(
        fmt::format("--row-grid {}x{}: must be whole numbers, of at most {} points, the "
                    "rows of the table",
                    extents[0], extents[1], rows));
}

/// Returns the grid of --row-grid, whose points are the last rows; without the option the grid that
/// the axis of the rows knows, or the square that leaves at most two rows before it. Throws:
/// UsageError if there is none.
RowGrid row_grid(const Table& table, const Parameters& parameters) {
    const std::int64_t rows = table.shape.rows();
    if (parameters.has("row-grid")) return given_grid(rows, parameters);
    const Axis& axis = table.axes.front();
    if (axis.extents.size() == 2 && !axis.is_by_columns) {
        return {axis.rows_before, axis.extents[0], axis.extents[1]};
    }
    constexpr std::int64_t most_before = 2;  // a class token, and one for distillation
    const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(rows)));
    if (side > 1 && rows - side * side <= most_before) return {rows - side * side, side, side};
    throw UsageError(fmt::format(
        "--plot {}: {} rows are no square grid; give it with --row-grid, as in --row-grid "
        "14x14",
        parameters.word("plot"), rows));
}

/// Returns the options of a figure of grids, whose cells are squares unless the user asks for other
/// ones.
Parameters with_square_cells(Parameters parameters) {
    if (!parameters.given("aspect")) parameters.resolve("aspect", std::string("equal"));
    return parameters;
}

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

Figure compose_maps(const Table& whole, const Parameters& parameters, const Medium& medium) {
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
    .compose = compose_maps,
};

namespace {

/// The similarities of all points of a grid are kept in memory.
constexpr std::int64_t most_points = 4096;

/// Returns the similarities of each point with all points as a tile, and the tiles where the points
/// are, with `gap` cells of NaN between them.
Table tiled(const Table& similarities, const RowGrid& grid, std::int64_t gap) {
    const std::int64_t points = grid.height * grid.width;
    const std::int64_t rows = grid.height * (grid.height + gap) - gap;
    const std::int64_t columns = grid.width * (grid.width + gap) - gap;
    const std::int64_t all = similarities.shape.columns();
    const std::vector<double> values = read_rows(similarities, {grid.rows_before, points});
    auto cells = std::make_shared<std::vector<double>>(rows * columns,
                                                       std::numeric_limits<double>::quiet_NaN());
    for (std::int64_t point = 0; point < points; ++point) {
        const std::int64_t top = point / grid.width * (grid.height + gap);
        const std::int64_t left = point % grid.width * (grid.width + gap);
        for (std::int64_t other = 0; other < points; ++other) {
            const std::int64_t y = top + other / grid.width, x = left + other % grid.width;
            (*cells)[y * columns + x] = values[point * all + grid.rows_before + other];
        }
    }
    Table table = similarities;
    table.shape = {rows, columns};
    table.axes = {{.kind = AxisKind::pixel, .name = "row", .label = "Row of the Patch"},
                  {.kind = AxisKind::pixel, .name = "column", .label = "Column of the Patch"}};
    table.rows = rounded(rows::kept_rows(std::move(cells), columns), DType::float64);
    return table;
}

/// Returns the scale of `count` tiles of as many cells each, with a gap behind each: tile i is at
/// i.
Scale scale_of_tiles(std::int64_t count, std::int64_t gap, bool is_down) {
    const auto tiles = static_cast<double>(count);
    const double margin = tiles / (tiles + static_cast<double>(gap)) / 2;
    const double first = -margin, last = tiles - 1 + margin;
    return {ScaleKind::indices, is_down ? last : first, is_down ? first : last, {}};
}

/// Returns the width of the gaps between tiles in cells: 1, or 0 where cells are smaller than
/// pixels, since only some of the gaps would be seen.
std::int64_t gap_of(const RowGrid& grid, bool is_turned, const Medium& medium) {
    std::int64_t across = grid.width * (grid.width + 1) - 1;
    std::int64_t down = grid.height * (grid.height + 1) - 1;
    if (is_turned) std::swap(across, down);
    const Box& place = medium.axes_beside_colorbar;
    const double pixels = std::min(place.width() / static_cast<double>(across),
                                   place.height() / static_cast<double>(down));
    return pixels < 1 ? 0 : 1;
}

/// Returns the title: whose patches are similar, and the parameters.
std::string title_of(const Table& table) {
    constexpr std::string_view topic = "Similarity of Patches";
    const std::string& subject = table.provenance.subject();
    const std::size_t list = table.title.find(" (");
    if (subject.empty() || list == table.title.npos) return with_topic(table.title, topic);
    return fmt::format("{}: {}{}", subject, topic, table.title.substr(list));
}

Figure compose_patches(const Table& whole, const Parameters& parameters, const Medium& medium) {
    const Table vectors = with_channels_last(table_over_positions(whole, parameters));
    const RowGrid grid = row_grid(vectors, parameters);
    if (grid.height * grid.width > most_points) {
        throw UsageError(fmt::format("--plot patches: {} x {} points; at most {}", grid.height,
                                     grid.width, most_points));
    }
    const bool is_turned = parameters.flag("transpose");
    const std::int64_t gap = gap_of(grid, is_turned, medium);
    View view{"", tiled(cosine_similarity(vectors), grid, gap)};
    view.table.title = title_of(view.table);
    Parameters options = with_square_cells(parameters);
    // Smoothing would spread the gaps between the tiles.
    if (gap > 0 && !parameters.given("interpolation")) {
        options.resolve("interpolation", std::string("nearest"));
    }
    const bool is_diverging = parameters.given("cmap") || parameters.has("vcentre");
    if (!is_diverging && have_one_sign(merge(finite_limits(view.table), medium.least_limits))) {
        options.resolve("cmap", std::string("viridis"));
    }
    const HeatmapScales scales{scale_of_tiles(is_turned ? grid.height : grid.width, gap, false),
                               scale_of_tiles(is_turned ? grid.width : grid.height, gap, true)};
    return compose_heatmaps(std::span(&view, 1), options, medium, scales);
}

}  // namespace

constinit const Plot plots::patches{
    .name = "patches",
    .summary = "the cosine similarity of each patch with all others, on the grid of the patches",
    .options = "row-grid",
    .common_options = colour_options,
    .compose = compose_patches,
};

}  // namespace pegen

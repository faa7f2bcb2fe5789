#include <fmt/format.h>

#include <limits>
#include <utility>

#include "core/error.h"
#include "figure/plots/heatmap.h"
#include "figure/plots/plots.h"
#include "figure/plots/row_grid.h"
#include "figure/plots/view.h"
#include "figure/similarity.h"
#include "rows/kept.h"

namespace pegen {
namespace {

/// The similarities of all points of a grid are kept in memory.
constexpr std::int64_t most_points = 4096;

/// Returns the similarities of each point with all points as a tile, and the tiles where the points
/// are, with a gap of NaN, one cell wide, between them.
Table tiled(const Table& similarities, const RowGrid& grid) {
    const std::int64_t points = grid.height * grid.width;
    const std::int64_t rows = grid.height * (grid.height + 1) - 1;
    const std::int64_t columns = grid.width * (grid.width + 1) - 1;
    const std::int64_t all = similarities.shape.columns();
    const std::vector<double> values = read_rows(similarities, {grid.rows_before, points});
    auto cells = std::make_shared<std::vector<double>>(rows * columns,
                                                       std::numeric_limits<double>::quiet_NaN());
    for (std::int64_t point = 0; point < points; ++point) {
        const std::int64_t top = point / grid.width * (grid.height + 1);
        const std::int64_t left = point % grid.width * (grid.width + 1);
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

/// Returns the scale of `count` tiles of as many cells each: tile i is at i.
Scale scale_of_tiles(std::int64_t count, bool is_down) {
    const auto tiles = static_cast<double>(count);
    const double margin = tiles / (tiles + 1) / 2;
    const double first = -margin, last = tiles - 1 + margin;
    return {ScaleKind::indices, is_down ? last : first, is_down ? first : last, {}};
}

Figure compose(const Table& whole, const Parameters& parameters, const Medium& medium) {
    const Table vectors = with_channels_last(table_over_positions(whole, parameters));
    const RowGrid grid = row_grid(vectors, parameters);
    if (grid.height * grid.width > most_points) {
        throw UsageError(fmt::format("--plot patches: {} x {} points; at most {}", grid.height,
                                     grid.width, most_points));
    }
    const View view{"", tiled(cosine_similarity(vectors), grid)};
    Parameters options = with_square_cells(parameters);
    // Smoothing would spread the gaps between the tiles.
    if (!parameters.given("interpolation"))
        options.resolve("interpolation", std::string("nearest"));
    const bool is_turned = parameters.flag("transpose");
    const HeatmapScales scales{scale_of_tiles(is_turned ? grid.height : grid.width, false),
                               scale_of_tiles(is_turned ? grid.width : grid.height, true)};
    return compose_heatmaps(std::span(&view, 1), options, medium, scales);
}

}  // namespace

constinit const Plot plots::patches{
    .name = "patches",
    .summary = "the cosine similarity of each patch with all others, on the grid of the patches",
    .options =
        "cmap vmin vmax vcentre colorbar-label no-colorbar aspect interpolation transpose row-grid",
    .compose = compose,
};

}  // namespace pegen

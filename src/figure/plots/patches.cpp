#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/error.h"
#include "figure/limits.h"
#include "figure/plots/heatmap.h"
#include "figure/plots/plots.h"
#include "figure/plots/row_grid.h"
#include "figure/plots/texts.h"
#include "figure/plots/view.h"
#include "figure/similarity.h"
#include "rows/kept.h"

namespace pegen {
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

Figure compose(const Table& whole, const Parameters& parameters, const Medium& medium) {
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
    .compose = compose,
};

}  // namespace pegen

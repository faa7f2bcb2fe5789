#include "figure/plots/row_grid.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "core/error.h"

namespace pegen {
namespace {

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

}  // namespace

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

Parameters with_square_cells(Parameters parameters) {
    if (!parameters.given("aspect")) parameters.resolve("aspect", std::string("equal"));
    return parameters;
}

}  // namespace pegen

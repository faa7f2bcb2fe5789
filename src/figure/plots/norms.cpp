#include <algorithm>
#include <cmath>
#include <utility>

#include "figure/plots/curves.h"
#include "figure/plots/plots.h"
#include "figure/plots/texts.h"
#include "figure/plots/view.h"

namespace pegen {
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

Figure compose(const Table& whole, const Parameters& parameters, const Medium& medium) {
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
    .compose = compose,
};

}  // namespace pegen

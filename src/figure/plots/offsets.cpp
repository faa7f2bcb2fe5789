#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/error.h"
#include "figure/plots/curves.h"
#include "figure/plots/plots.h"
#include "figure/plots/texts.h"
#include "figure/plots/view.h"
#include "figure/similarity.h"
#include "rows/arranged.h"

namespace pegen {
namespace {

/// Returns the distance of neighbouring positions.
/// Throws: UsageError if the distances are not all the same, if they are 0, or if the first and the
/// last position are further apart than the largest double.
double spacing(const AxisOfTable& rows) {
    const std::optional<Progression> positions = equal_steps(rows);
    const double step = positions ? std::fabs(positions->step) : 0;
    const bool is_finite = std::isfinite(step * static_cast<double>(rows.extent - 1));
    if (step > 0 && is_finite) return step;
    throw UsageError(fmt::format(
        "--plot offsets: the positions are {}; use --start and --step, or --plot similarity",
        !positions  ? "not equally spaced"
        : step == 0 ? "all the same"
                    : "too far apart"));
}

/// Returns the table without the rows before the first position.
Table rows_with_positions(Table table) {
    Axis& axis = table.axes[0];
    const std::int64_t before = std::exchange(axis.rows_before, 0);
    if (before == 0) return table;
    if (before >= table.shape.rows()) {
        throw UsageError("--plot offsets: no row of the table stands for a position");
    }
    table.shape = {table.shape.rows() - before, table.shape.columns()};
    table.rows = rows::slice(table.rows, {before, table.shape.rows()});
    return table;
}

Figure compose(const Table& whole, const Parameters& parameters, const Medium& medium) {
    Table table = rows_with_positions(scored_vectors(whole, parameters));
    const bool is_cosine = parameters.flag("cosine");
    if (is_cosine) table = with_unit_rows(table);
    const double step = spacing({table.axes[0], table.shape.rows()});
    const OffsetStatistics statistics = dot_products_by_offset(table);
    std::vector<double> offsets(statistics.mean.size());
    for (std::size_t k = 0; k < offsets.size(); ++k) offsets[k] = step * static_cast<double>(k);
    const ScaleKind kind = step == std::floor(step) ? ScaleKind::indices : ScaleKind::values;
    const Limits of_values = merge(limits_of(statistics.lowest), limits_of(statistics.highest));
    const Limits limits = or_any(merge(of_values, medium.least_limits));
    FigureSpec spec{.x = scale_along(kind, set_apart({0, offsets.back()}), medium),
                    .y = with_margins(ScaleKind::values, set_apart(limits))};
    set_texts(spec, parameters, table.title, "Offset between Positions",
              is_cosine                 ? "Cosine Similarity"
              : whole.scored_by.empty() ? "Dot Product"
                                        : "Score");
    const SeriesBand band{"all pairs", band_colour, offsets, statistics.lowest, statistics.highest};
    const Series mean{
        .name = "mean", .colour = curve_colours[0], .x = offsets, .y = statistics.mean};
    return compose_curves(std::move(spec), {mean}, band, medium);
}

}  // namespace

constinit const Plot plots::offsets{
    .name = "offsets",
    .summary = "the mean dot product of two positions against their distance, with its range",
    .options = "cosine",
    .compose = compose,
};

}  // namespace pegen

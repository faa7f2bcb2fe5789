#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "figure/plots/curves.h"
#include "figure/plots/plots.h"
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

Figure compose_offsets(const Table& whole, const Parameters& parameters, const Medium& medium) {
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
    .compose = compose_offsets,
};

namespace {

/// The table of rotary encodings with the cosine and the sine of each pair, (positions, pairs, 2).
constexpr std::string_view rotations_table = "freqs-cis";

/// Returns the distance of neighbouring positions of a table of rotations. Throws: UsageError
/// unless its rows are positions in equal steps, and not too many for a curve.
double step_of(const Table& rotations) {
    const Axis& axis = rotations.axes.front();
    const auto positions = equal_steps({axis, rotations.shape[0]});
    constexpr std::int64_t most_positions = 1 << 17;
    if (rotations.shape[0] > most_positions) {
        throw UsageError(fmt::format("--plot decay: {} positions; a curve has at most {}",
                                     rotations.shape[0], most_positions));
    }
    if (axis.kind == AxisKind::position && rotations.shape.rank() == 3 && positions &&
        positions->step != 0) {
        return std::fabs(positions->step);
    }
    throw UsageError(
        "--plot decay: is for rotary encodings of a sequence, at positions in equal steps; use "
        "--start and --step");
}

/// Returns the bound of RoFormer, section 3.4.3, at each distance m from the first position: the
/// mean over the pairs j of |S_j|, where S_j = sum of exp(i m w) over the first j pairs. If two
/// vectors have neighbouring pairs that differ by at most h, their score at distance m is at most
/// h times the sum of the |S_j|.
std::vector<double> bounds_of(const Table& rotations) {
    const std::int64_t positions = rotations.shape[0];
    const std::size_t pairs = rotations.shape[1];
    const std::vector<double> first = read_rows(rotations, {0, rotations.shape[1]});
    std::vector<double> bounds;
    for (std::int64_t position = 0; position < positions; ++position) {
        const std::vector<double> here =
            read_rows(rotations, {position * rotations.shape[1], rotations.shape[1]});
        double real = 0, imaginary = 0, sum = 0;
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            // The quotient of two rotations turns by the distance, without the attention factor.
            const double c = here[2 * pair], s = here[2 * pair + 1];
            const double c0 = first[2 * pair], s0 = first[2 * pair + 1];
            const double square = c0 * c0 + s0 * s0;
            real += (c * c0 + s * s0) / square;
            imaginary += (s * c0 - c * s0) / square;
            sum += std::sqrt(real * real + imaginary * imaginary);
        }
        bounds.push_back(sum / static_cast<double>(pairs));
    }
    return bounds;
}

Series series_of(const NamedTable& rotations, std::size_t colour) {
    const double step = step_of(rotations.table);
    Series series{.name = rotations.name,
                  .colour = curve_colours[colour],
                  .x = {},
                  .y = bounds_of(rotations.table)};
    for (std::size_t i = 0; i < series.y.size(); ++i) {
        series.x.push_back(step * static_cast<double>(i));
    }
    return series;
}

/// Throws: UsageError if the encoding has no table of rotations.
void check_has_rotations(const Table& table) {
    try {
        table.sibling({.table = rotations_table});
    } catch (const UsageError&) {
        throw UsageError("--plot decay: is for rotary encodings, and this is none");
    }
}

Figure compose_decay(const Table& table, const Parameters& parameters, const Medium& medium) {
    if (!table.sibling)
        throw UsageError(
            "--plot decay: files, and tables with flaws, do not tell their frequencies");
    check_has_rotations(table);
    const std::vector<NamedTable> all = with_others(table, parameters, rotations_table);
    std::vector<Series> curves;
    Limits limits = merge({0, 0}, medium.least_limits);
    double last = 0;
    for (const NamedTable& one : all) {
        curves.push_back(series_of(one, curves.size()));
        limits = merge(limits, limits_of(curves.back().y));
        last = std::max(last, curves.back().x.back());
    }
    FigureSpec spec{.x = scale_along(ScaleKind::indices, set_apart({0, last}), medium),
                    .y = with_margins(ScaleKind::values, set_apart(limits))};
    if (medium.has_own_size) spec.y.first = 0;
    set_texts(spec, parameters,
              all.size() > 1
                  ? std::string("Bound of the Score")
                  : fmt::format("{}: Bound of the Score (d={})", table.provenance.subject(),
                                2 * all.front().table.shape[1]),
              "Distance (Query - Key)", "Mean of |S| over the Pairs");
    return compose_curves(std::move(spec), curves, {}, medium);
}

}  // namespace

constinit const Plot plots::decay{
    .name = "decay",
    .summary = "RoFormer's bound of a rotary score against the distance; --with compares encodings",
    .options = "with",
    .compose = compose_decay,
};

}  // namespace pegen

#include "cli/explore/beside.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "cli/compare_report.h"
#include "cli/made_by.h"
#include "core/to_size.h"
#include "figure/limits.h"
#include "rows/kept.h"

namespace pegen::cli {
namespace {

/// Keeps the values: comparisons and pictures read them many times.
ComparedTable compared(const Side& side) {
    Table table = side.table;
    table.rows = rows::kept(table);
    return compared(side.name, side.subject, std::move(table));
}

/// Returns the axis with its first indices alone.
Axis shortened(Axis axis, std::int64_t extent) {
    axis.extents.clear();  // of a whole grid
    axis.is_merged = false;
    if (!axis.index_names.empty()) axis.index_names.resize(to_size(extent));
    axis.rows_before = std::min(axis.rows_before, extent);
    if (!axis.positions) return axis;
    std::vector<double> positions(to_size(extent - axis.rows_before));
    for (std::size_t i = 0; i < positions.size(); ++i) {
        positions[i] = (*axis.positions)[static_cast<std::int64_t>(i)];
    }
    axis.positions = Positions(std::move(positions));
    return axis;
}

/// Returns a - b where both have values; nothing if they have different numbers of axes, or more
/// than two and different shapes.
std::optional<Table> difference_of(const Table& a, const Table& b) {
    const int rank = a.shape.rank();
    if (rank != b.shape.rank() || rank == 0) return {};
    if (rank > 2 && a.shape != b.shape) return {};
    Table difference = a;
    if (rank <= 2) {
        std::vector<std::int64_t> extents;
        for (int axis = 0; axis < rank; ++axis) {
            extents.push_back(std::min(a.shape[axis], b.shape[axis]));
            if (extents.back() == a.shape[axis]) continue;
            Axis& own = difference.axes[to_size(axis)];
            own = shortened(std::move(own), extents.back());
        }
        difference.shape = Shape(extents);
    }
    difference.dtype = DType::float64;
    difference.has_whole_values = is_whole(a) && is_whole(b);
    difference.provenance = {};
    difference.sibling = nullptr;
    const std::int64_t columns = difference.shape.columns();
    difference.rows = rounded(
        [a, b, width = to_size(columns)](RowRange range, std::span<double> out) {
            const std::vector<double> ours = read_rows(a, range), theirs = read_rows(b, range);
            const std::size_t width_a = to_size(a.shape.columns());
            const std::size_t width_b = to_size(b.shape.columns());
            for (std::size_t row = 0; row < out.size() / width; ++row) {
                for (std::size_t i = 0; i < width; ++i) {
                    out[row * width + i] = ours[row * width_a + i] - theirs[row * width_b + i];
                }
            }
        },
        columns, DType::float64);
    return difference;
}

/// The figure's options for one of three pictures.
Parameters for_one_of_three(Parameters figure, const std::string& title, const Asked& asked) {
    if (!figure.given("title")) figure.resolve("title", title);
    if (!figure.given("figsize")) figure.resolve("figsize", std::vector<double>{5.6, 4.8});
    return fitted_to(asked.within, std::move(figure));
}

void set_limits(Parameters& figure, Limits limits) {
    const bool is_limited = figure.has("vmin") || figure.has("vmax") || figure.has("vcentre");
    if (is_limited || limits == no_limits) return;
    limits = set_apart(limits);
    figure.resolve("vmin", limits.low);
    figure.resolve("vmax", limits.high);
}

/// The options for the difference, whose colours are those of other values.
Parameters for_difference(Parameters figure, const Table& difference) {
    for (const char* limit : {"vmin", "vmax", "vcentre"}) figure.resolve(limit, NoValue());
    const Limits limits = or_any(finite_limits(difference));
    const double most = std::max(std::abs(limits.low), std::abs(limits.high));
    set_limits(figure, {-most, most});
    return figure;
}

std::vector<Picture> drawn_beside(const Asked& asked, const ComparedTable& a,
                                  const ComparedTable& b) {
    Parameters figure = asked.figure();
    // Wavelengths are not of the values.
    const std::optional<Table> difference =
        is_plot(figure, "wavelengths") ? std::nullopt : difference_of(a.table, b.table);
    // Values that cannot be subtracted need not have colours in common.
    if (difference) set_limits(figure, merge(finite_limits(a.table), finite_limits(b.table)));
    std::vector<Picture> pictures{
        drawn("this", a.name, a.table, for_one_of_three(figure, a.name, asked)),
        drawn("other", b.name, b.table, for_one_of_three(figure, b.name, asked))};
    if (!difference) return pictures;
    const std::string label = fmt::format("{} − {}", a.name, b.name);
    pictures.push_back(
        drawn("difference", label, *difference,
              for_one_of_three(for_difference(asked.figure(), *difference), label, asked)));
    return pictures;
}

}  // namespace

Beside beside(const Sides& sides) {
    const ComparedTable a = compared(sides.first), b = compared(sides.other);
    TableComparison comparison = comparison_of(a, b);
    const std::string made = made_by(a, b, comparison);
    if (!made.empty()) comparison.sentences.push_back(made);
    return {drawn_beside(sides.asked, a, b), std::move(comparison.sentences),
            comparison.are_same || !made.empty()};
}

}  // namespace pegen::cli

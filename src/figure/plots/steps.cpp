#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "figure/plots/curves.h"
#include "figure/plots/plots.h"
#include "figure/plots/view.h"
#include "figure/traces.h"
#include "figure/views.h"

namespace pegen {
namespace {

/// Checks the axes. Throws: UsageError unless the last two axes are queries and keys of a sequence.
void check_axes(const std::vector<Axis>& axes) {
    const std::size_t rank = axes.size();
    if (rank < 2 || axes[rank - 2].kind != AxisKind::query || axes.back().kind != AxisKind::key) {
        throw UsageError(
            "--plot steps: draws a table over queries and keys, and this is none; use --plot "
            "heatmap");
    }
    for (const Axis& axis : {axes[rank - 2], axes.back()}) {
        if (axis.extents.empty() && axis.rows_before == 0) continue;
        throw UsageError(fmt::format(
            "--plot steps: draws values over the distance of key and query, and the {} axis counts "
            "points of a grid; use --plot heatmap",
            axis.name));
    }
}

/// The rows that are drawn: the same query of several tables with the same two axes.
struct Rows {
    std::vector<View> views;
    std::int64_t query;
    std::string title;
};

/// Returns the query that is drawn unless the user chooses one: the middle one, which has keys on
/// both sides, or the last one if keys behind a query are masked.
std::int64_t usual_query(const Table& table, std::int64_t queries) {
    const std::int64_t middle = queries / 2;
    if (!table.masked_title.empty()) return queries - 1;
    return std::isfinite(read_rows(table, {middle, 1}).back()) ? middle : queries - 1;
}

/// Returns the rows that --select chooses. Its indices are the indices of the axes around queries
/// and keys, and then the index of the query, which is usual_query() unless it is given.
Rows selected_rows(const Table& table, const Parameters& parameters) {
    std::vector<std::int64_t> select;
    if (parameters.has("select")) select = parameters.integers("select");
    const std::size_t query_axis = table.axes.size() - 2;
    const bool has_query = select.size() == query_axis + 1;
    const std::int64_t queries = table.shape[static_cast<int>(query_axis)];
    const std::int64_t query = has_query ? select.back() : usual_query(table, queries);
    if (query >= queries) {
        throw UsageError(fmt::format("--select {}: query must be 0 to {}",
                                     to_string(parameters.value("select")), queries - 1));
    }
    if (has_query) select.pop_back();
    Table shown = table;
    const Axis& keys = table.axes.back();
    const bool sees_all =
        position_at(keys, table.shape.columns() - 1) <= position_at(table.axes[query_axis], query);
    if (sees_all && !table.masked_title.empty()) shown.title = table.masked_title;
    std::vector<View> views = views_of(shown, select);
    if (views.front().table.axes[0].kind != AxisKind::query) {
        throw UsageError(fmt::format("--plot steps: the rows are {}; choose with --select",
                                     views.front().table.axes[0].name));
    }
    std::string title = views.front().table.title;
    title += ", " + index_name(table.axes[query_axis], query);
    return {std::move(views), query, std::move(title)};
}

/// Returns all numbers below `count` or, if there are fewer colours, as many numbers as colours,
/// evenly spread.
std::vector<std::size_t> shown(std::size_t count) {
    std::vector<std::size_t> numbers(std::min(count, curve_colours.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i * count / numbers.size();
    return numbers;
}

/// Returns rows of values as the columns of a table.
Table as_columns(const std::vector<std::vector<double>>& rows) {
    const auto columns = std::ssize(rows), length = std::ssize(rows.front());
    Table table;
    table.shape = {length, columns};
    table.dtype = DType::float64;
    table.rows =
        rounded({[rows](RowRange range, std::span<double> out) {
                     auto place = out.begin();
                     for (std::int64_t i = range.first; i < range.first + range.count; ++i) {
                         for (const std::vector<double>& row : rows) *place++ = row[i];
                     }
                 },
                 length, columns},
                DType::float64);
    return table;
}

std::vector<double> distances_from(const Axis& queries, std::int64_t query, const Axis& keys,
                                   std::int64_t count) {
    const double here = *position_at(queries, query);
    std::vector<double> distances;
    for (std::int64_t key = 0; key < count; ++key) {
        distances.push_back(*position_at(keys, key) - here);
    }
    return distances;
}

/// Returns the trace as steps over the distances.
Series steps_through(const Trace& trace, const std::vector<double>& distances) {
    Series series{.name = "", .colour = {}, .x = {}, .y = trace.values};
    for (const double row : trace.rows) {
        series.x.push_back(distances[std::llround(row)]);
    }
    return stepped(std::move(series));
}

bool are_whole(const std::vector<double>& numbers) {
    return std::ranges::all_of(numbers, [](double x) { return x == std::floor(x); });
}

Figure compose(const Table& table, const Parameters& parameters, const Medium& medium) {
    check_axes(table.axes);
    const Rows chosen = selected_rows(table, parameters);
    const Table& first = chosen.views.front().table;
    std::vector<std::vector<double>> values;
    std::vector<std::string> names;
    for (const std::size_t view : shown(chosen.views.size())) {
        names.push_back(chosen.views[view].title);
        values.push_back(read_rows(chosen.views[view].table, {chosen.query, 1}));
    }
    const std::vector<double> distances =
        distances_from(first.axes[0], chosen.query, first.axes[1], first.shape.columns());
    std::vector<std::int64_t> numbers(values.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    std::vector<Series> curves;
    Limits limits = medium.least_limits;
    for (const Trace& trace :
         traces(as_columns(values), numbers, static_cast<int>(medium.axes_beside_legend.width()))) {
        curves.push_back(steps_through(trace, distances));
        curves.back().colour = curve_colours[curves.size() - 1];
        curves.back().name = names[curves.size() - 1];
        limits = merge(limits, limits_of(trace.values));
    }
    const ScaleKind whole = ScaleKind::indices, any = ScaleKind::values;
    const Limits ends{distances.front() - 0.5, distances.back() + 0.5};
    FigureSpec spec{.x = scale_along(are_whole(distances) ? whole : any, ends, medium),
                    .y = with_margins(is_whole(table) ? whole : any, set_apart(or_any(limits)))};
    set_texts(spec, parameters, chosen.title, "Distance (Key - Query)", table.value_label);
    return compose_curves(std::move(spec), curves, {}, medium);
}

}  // namespace

constinit const Plot plots::steps{
    .name = "steps",
    .summary = "a query's values against the distance to its keys, one curve per head",
    .options = "",
    .compose = compose,
};

}  // namespace pegen

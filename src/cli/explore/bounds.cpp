#include "cli/explore/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/progress.h"
#include "encodings/choice.h"
#include "encodings/parameters/shared.h"
#include "encodings/registry.h"
#include "figure/purpose.h"

namespace pegen::cli {
namespace {

/// Returns the number of channels that are computed, including channels that are not kept and
/// channels of tables without a channel axis, such as sandwich's. Returns 0 for encodings without
/// channels.
std::int64_t computed_channels(const Table& table) {
    const Provenance& origin = table.provenance;
    const Plan plan = plan_of(*find_encoding(origin.encoding),
                              without_channel_choice(origin.parameters), origin.table);
    const std::optional<int> axis = find_axis(plan.axes, AxisKind::channel);
    constexpr std::string_view d = encodings::d_parameter.name;
    const bool has_d = plan.parameters.knows(d) && plan.parameters.has(d);
    return std::max(axis ? plan.shape[*axis] : 0, has_d ? plan.parameters.integer(d) : 0);
}

/// Returns the number of cells of a heatmap: the values of the table or, for similarities, the dot
/// products of all pairs of rows.
double cells_of(const Table& table, const Parameters& figure) {
    const auto rows = static_cast<double>(table.shape.rows());
    return is_plot(figure, "similarity") ? rows * rows : static_cast<double>(table.shape.size());
}

/// Throws: UsageError if a plot would show too many columns, for example of a file, or too many dot
/// products, or keep too many values.
void check_plot(const Table& table, const Parameters& figure) {
    if (!figure.has("plot") || is_plot(figure, "heatmap")) return;
    const auto refuse_because = [&](std::int64_t count, std::string_view what) {
        throw UsageError(fmt::format(
            "--plot {}: takes too long for a page with {} {}; make the table smaller, or run the "
            "command",
            figure.word("plot"), count, what));
    };
    const Shape& shape = table.shape;
    if (shape.columns() > most_columns) refuse_because(shape.columns(), "columns");
    if (shape.size() > most_values_plotted) refuse_because(shape.size(), "values");
    const auto rows = static_cast<double>(shape.rows());
    const bool has_pairs = is_plot(figure, "patches");
    if (has_pairs && rows * rows > most_values_plotted) refuse_because(shape.rows(), "rows");
    const double products = rows * rows * static_cast<double>(shape.columns());
    const bool has_products = is_plot(figure, "similarity") || is_plot(figure, "offsets");
    if (has_products && products > most_products) refuse_because(shape.rows(), "rows");
}

/// Returns a function that calls `other` and throws UsageError once all the tables that it made
/// have more than most_values_beside values together.
auto other_within(decltype(Table::other) other) {
    const auto left = std::make_shared<std::int64_t>(most_values_beside);
    return [=](std::string_view words, std::string_view name) {
        Table table = other(words, name);
        *left -= table.shape.size();
        if (*left >= 0) return table;
        throw UsageError(fmt::format(
            "--with: takes too long for a page with more than {} values; run the command",
            most_values_beside));
    };
}

}  // namespace

bool is_plot(const Parameters& figure, std::string_view plot) {
    return figure.has("plot") && figure.word("plot") == plot;
}

Progress patience(const http::IsGivenUp& is_given_up, std::chrono::steady_clock::time_point end) {
    return [=](std::int64_t, std::int64_t) {
        if (is_given_up()) throw GivenUp("nobody waits for this any more");
        if (std::chrono::steady_clock::now() < end) return;
        throw GivenUp(
            fmt::format("takes longer than {} s; make the table smaller, or run the command",
                        longest_work.count()));
    };
}

void check_size(const Table& table, std::int64_t most_values) {
    if (table.shape.size() <= most_values) return;
    throw UsageError(
        fmt::format("a table of shape {}: has more than the {} values that a page asks for; make "
                    "it smaller, or run the command",
                    to_string(table.shape), most_values));
}

void check_work(const PlannedTable& planned, std::int64_t most_values) {
    check_size(planned.table, most_values);
    const Table& table = planned.table;
    if (planned.terms > most_terms) {
        throw UsageError(
            fmt::format("a table of shape {}: takes too long for a page, as {:.2g} numbers are "
                        "computed for it; make it smaller, or run the command",
                        to_string(table.shape), planned.terms));
    }
    if (std::max(table.shape.columns(), computed_channels(table)) > most_columns) {
        throw UsageError(fmt::format(
            "a table of shape {}: has more than the {} columns or channels that a page asks for; "
            "make it narrower, or run the command",
            to_string(table.shape), most_columns));
    }
}

Table table_within(PlannedTable planned, std::int64_t most_values) {
    check_work(planned, most_values);
    Table table = std::move(planned.table);
    const Rows rows = planned.make_rows(ignore_progress);
    table.rows = rows_like(rows, [=](RowRange range, std::span<std::byte> out) {
        report(0, 0);
        rows(range, out);
    });
    if (table.other) table.other = other_within(table.other);
    return table;
}

void check_figure(const Table& table, const Parameters& figure) {
    check_plot(table, figure);
    const Parameters meant = for_purpose(figure);
    const std::vector<double>& inches = meant.reals("figsize");
    const double dpi = meant.real("dpi");
    const double cell = figure.has("cell") ? static_cast<double>(figure.integer("cell")) : 1;
    const double pixels = figure.flag("no-axes") || figure.has("cell")
                              ? cells_of(table, figure) * cell * cell
                              : inches[0] * inches[1] * dpi * dpi;
    if (pixels <= most_pixels) return;
    throw UsageError(fmt::format(
        "--figsize, --dpi, --cell: a page draws at most {} pixels; run the command for a larger "
        "figure",
        most_pixels));
}

}  // namespace pegen::cli

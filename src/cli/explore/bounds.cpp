#include "cli/explore/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/error.h"

namespace pegen::cli {
namespace {

bool is_plot(const Parameters& figure, std::string_view plot) {
    return figure.has("plot") && figure.word("plot") == plot;
}

/// The values that a heatmap shows: of the table, or all dot products of its rows.
double cells_of(const Table& table, const Parameters& figure) {
    const auto rows = static_cast<double>(table.shape.rows());
    return is_plot(figure, "similarity") ? rows * rows : static_cast<double>(table.shape.size());
}

/// The value of an integer that the table has, or nothing.
std::optional<std::int64_t> integer_of(const Table& table, std::string_view name) {
    const Parameters& parameters = table.provenance.parameters;
    const bool is_known =
        std::ranges::any_of(parameters.entries(), [&](const Parameters::Entry& entry) {
            return entry.spec->name == name && entry.spec->type == ParameterType::integer;
        });
    return is_known && parameters.has(name) ? std::optional(parameters.integer(name))
                                            : std::nullopt;
}

/// What may be computed without a look at the clock: draws of other tables, channels that are not
/// kept, and for a bias by distance, sums over channels that the table does not have.
void check_preparation(const Table& table) {
    const auto refuse_because = [](std::string_view name, std::int64_t value) {
        throw UsageError(
            fmt::format("--{} {}: takes too long for a page with a table of this size; make it "
                        "smaller, or run the command",
                        name, value));
    };
    if (const auto burn = integer_of(table, "burn")) {
        const double draws = static_cast<double>(*burn + 1) *
                             static_cast<double>(*integer_of(table, "len")) *
                             static_cast<double>(*integer_of(table, "d"));
        if (draws > most_draws) refuse_because("burn", *burn);
    }
    const auto channel_axis = std::ranges::find(table.axes, AxisKind::channel, &Axis::kind);
    if (channel_axis != table.axes.end()) {
        const auto kept = table.shape[static_cast<int>(channel_axis - table.axes.begin())];
        const double positions = static_cast<double>(table.shape.size()) /
                                 static_cast<double>(std::max<std::int64_t>(kept, 1));
        const std::int64_t channels = integer_of(table, "d").value_or(kept);
        if (positions * static_cast<double>(channels) > most_products) {
            refuse_because("d", channels);
        }
        return;
    }
    const int rank = table.shape.rank();
    const auto keys = static_cast<double>(table.shape.columns());
    const auto queries = rank > 1 ? static_cast<double>(table.shape[rank - 2]) : 1;
    const double heads = static_cast<double>(table.shape.size()) / std::max(queries * keys, 1.0);
    for (const std::string_view name : {"d", "width"}) {
        const auto channels = integer_of(table, name);
        if (channels && heads * (queries + keys) * static_cast<double>(*channels) > most_summands) {
            refuse_because(name, *channels);
        }
    }
}

/// Plots other than heatmaps, and dot products, are computed without a look at the clock.
void check_work(const Table& table, const Parameters& figure) {
    if (!figure.has("plot") || is_plot(figure, "heatmap")) return;
    const auto refuse_because = [&](std::int64_t count, std::string_view what) {
        throw UsageError(fmt::format(
            "--plot {}: takes too long for a page with {} {}; make the table smaller, or run the "
            "command",
            figure.word("plot"), count, what));
    };
    const Shape& shape = table.shape;
    if (shape.columns() > most_columns_plotted) refuse_because(shape.columns(), "columns");
    const auto rows = static_cast<double>(shape.rows());
    const double products = rows * rows * static_cast<double>(shape.columns());
    const bool has_products = is_plot(figure, "similarity") || is_plot(figure, "offsets");
    if (has_products && products > most_products) refuse_because(shape.rows(), "rows");
}

}  // namespace

void Patience::check() const {
    if (is_given_up_()) throw GivenUp("nobody waits for this any more");
    if (std::chrono::steady_clock::now() < end_) return;
    throw GivenUp(fmt::format("takes longer than {} s; make the table smaller, or run the command",
                              longest_work.count()));
}

void check_size(const Table& table, std::int64_t most_values) {
    if (table.shape.size() > most_values) {
        throw UsageError(fmt::format(
            "a table of shape {}: has more than the {} values that a page asks for; make it "
            "smaller, or run the command",
            to_string(table.shape), most_values));
    }
    check_preparation(table);
}

Table table_within(PlannedTable planned, std::int64_t most_values, const Patience& patience) {
    check_size(planned.table, most_values);
    Table table = std::move(planned.table);
    const RowSource rows =
        planned.make_rows([patience](std::int64_t, std::int64_t) { patience.check(); });
    table.rows = [rows, patience](RowRange range, std::span<std::byte> out) {
        patience.check();
        rows(range, out);
    };
    return table;
}

void check_figure(const Table& table, const Parameters& figure) {
    check_work(table, figure);
    const std::vector<double>& inches = figure.reals("figsize");
    const double dpi = figure.real("dpi");
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

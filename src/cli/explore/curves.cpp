#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "cli/explore/asked.h"
#include "cli/explore/bounds.h"
#include "cli/explore/replies.h"
#include "cli/explore/sides.h"
#include "cli/generate.h"
#include "core/json.h"
#include "inspect/cell_index.h"

namespace pegen::cli {
namespace {

constexpr std::int64_t most_points = 2000;

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

/// The indices along an axis at which a curve has values: 0, step, 2 step, ... below `extent`.
struct Steps {
    int axis;
    std::int64_t extent;
    std::int64_t step;
};

/// Returns the values of the cells along the axis of `steps`, with the indices of `at` along all
/// other axes; null where the table has no such cell.
Json values_along(const Table& table, std::vector<std::int64_t> at, const Steps& steps) {
    const std::int64_t columns = table.shape.columns();
    std::vector<double> row;
    std::optional<std::int64_t> row_at_hand;
    Json values = Json::array();
    for (std::int64_t i = 0; i < steps.extent; i += steps.step) {
        at[steps.axis] = i;
        const std::optional<std::int64_t> element = element_at(table.shape, at);
        if (element && row_at_hand != *element / columns) {
            row_at_hand = *element / columns;
            row = read_rows(table, {*row_at_hand, 1});
        }
        values.push_back(element ? number_or_null(row[*element % columns]) : Json());
    }
    return values;
}

/// Returns the name of the index that stays fixed along the curve: "channel 37".
std::string name_across(const Table& table, const std::vector<std::int64_t>& at, int axis) {
    const int rank = table.shape.rank();
    if (rank < 2) return "";
    const std::size_t other = axis == rank - 1 ? rank - 2 : rank - 1;
    const Axis& fixed = table.axes[other];
    return index_text(fixed.name, at[other], stands_for(fixed, at[other]));
}

/// Returns the curves through a cell, along the last two axes. `other` is the table to compare
/// with, or nullptr.
Json curves_of(const Table& table, const Side* other, std::span<const std::int64_t> asked_at) {
    const std::vector<std::int64_t> at = cell_index(table.shape, table.axes, asked_at);
    const int rank = table.shape.rank();
    Json curves = Json::array();
    for (int axis = std::max(0, rank - 2); axis < rank; ++axis) {
        const std::int64_t extent = table.shape[axis];
        const Steps steps{axis, extent, (extent + most_points - 1) / most_points};
        Json curve{{"axis", axis},
                   {"name", name_across(table, at, axis)},
                   {"from", 0},
                   {"step", steps.step},
                   {"values", values_along(table, at, steps)}};
        if (other) {
            curve["beside"] = {{"name", other->name},
                               {"values", values_along(other->table, at, steps)}};
        }
        curves.push_back(std::move(curve));
    }
    return curves;
}

}  // namespace

http::Reply curves_reply(const http::Request& request) {
    const Asked asked = asked_for(request.path[1], request.query);
    if (const auto sides = sides_of(asked, request)) {
        const Json curves = curves_of(sides->first.table, &sides->other, sides->asked.at);
        return json_reply({{"curves", curves}});
    }
    const Table table =
        table_within(planned_table(asked.request, asked.wanted()), most_values_drawn);
    return json_reply({{"curves", curves_of(table, nullptr, asked.at)}});
}

}  // namespace pegen::cli

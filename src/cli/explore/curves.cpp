#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/explore/asked.h"
#include "cli/explore/bounds.h"
#include "cli/explore/replies.h"
#include "cli/generate.h"
#include "core/to_size.h"
#include "inspect/cell_index.h"

namespace pegen::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t most_points = 2000;

ordered_json number_or_null(double value) {
    return std::isfinite(value) ? ordered_json(value) : ordered_json();
}

/// Returns the values through a cell along `axis`, of which some may be left out.
ordered_json curve(const Table& table, const std::vector<std::int64_t>& at, int axis,
                   const std::string& name) {
    const std::vector<std::int64_t> strides = strides_of(table.shape.extents());
    const std::int64_t extent = table.shape[axis];
    const std::int64_t step = (extent + most_points - 1) / most_points;
    std::int64_t first = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
        if (static_cast<int>(i) != axis) first += at[i] * strides[i];
    }
    ordered_json values = ordered_json::array();
    const bool is_row = axis == table.shape.rank() - 1 && table.shape.rank() > 1;
    const std::vector<double> row =
        is_row ? read_rows(table, {first / extent, 1}) : std::vector<double>();
    for (std::int64_t i = 0; i < extent; i += step) {
        const double value =
            is_row ? row[to_size(i)] : read_value(table, first + i * strides[to_size(axis)]);
        values.push_back(number_or_null(value));
    }
    return {{"axis", axis}, {"name", name}, {"from", 0}, {"step", step}, {"values", values}};
}

}  // namespace

http::Reply curves_reply(const http::Request& request) {
    const Asked asked = asked_for(request.path[1], request.query);
    const Table table = table_within(planned_table(asked.request, asked.wanted()),
                                     most_values_drawn, Patience(request.is_given_up));
    const std::vector<std::int64_t> at = cell_index(table.shape, table.axes, asked.at);
    const int rank = table.shape.rank();
    ordered_json curves = ordered_json::array();
    for (int axis = std::max(0, rank - 2); axis < rank; ++axis) {
        const int other = axis == rank - 1 ? rank - 2 : rank - 1;
        const Axis& fixed = table.axes[to_size(std::max(other, 0))];
        const std::int64_t index = at[to_size(std::max(other, 0))];
        const std::string name =
            rank > 1 ? index_text(fixed.name, index, stands_for(fixed, index)) : "";
        curves.push_back(curve(table, at, axis, name));
    }
    return json_reply({{"curves", curves}});
}

}  // namespace pegen::cli

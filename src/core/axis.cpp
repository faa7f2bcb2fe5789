#include "core/axis.h"

#include <fmt/format.h>

#include <algorithm>

namespace pegen {

std::optional<double> position_at(const Axis& axis, std::int64_t index) {
    if (index < axis.rows_before) return std::nullopt;
    const std::int64_t i = index - axis.rows_before;
    return axis.positions ? (*axis.positions)[i] : static_cast<double>(i);
}

std::string index_name(const Axis& axis, std::int64_t index) {
    if (!axis.index_names.empty()) return axis.index_names[index];
    return fmt::format("{} {}", axis.name, index);
}

std::optional<int> find_axis(const std::vector<Axis>& axes, AxisKind kind) {
    const auto found = std::ranges::find(axes, kind, &Axis::kind);
    if (found == axes.end()) return std::nullopt;
    return static_cast<int>(found - axes.begin());
}

bool is_shown_as_panels(const Axis& axis) {
    return axis.kind == AxisKind::head || axis.kind == AxisKind::function;
}

}  // namespace pegen

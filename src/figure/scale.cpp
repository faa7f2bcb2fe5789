#include "figure/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/double_double.h"
#include "core/names.h"
#include "figure/ticks.h"

namespace pegen {
namespace {

/// Returns the extents of the grid, the extent of the fastest axis last.
std::vector<std::int64_t> in_order(const Axis& axis) {
    std::vector<std::int64_t> extents = axis.extents;
    const std::size_t rank = extents.size();
    if (axis.is_by_columns && rank > 1) std::swap(extents[rank - 2], extents[rank - 1]);
    return extents;
}

/// Returns the least number of points between ticks: a round number of rows, or of planes, that
/// makes at most `intervals` intervals. It divides the number of rows in a plane, since otherwise
/// the ticks would be at different rows in each plane. Returns nothing if there is no such number.
std::optional<std::int64_t> step_of(const std::vector<std::int64_t>& extents, std::int64_t points,
                                    int intervals) {
    constexpr std::int64_t round[] = {1, 2, 5};
    std::int64_t stride = extents.back();
    for (std::size_t axis = extents.size() - 1; axis-- > 0; stride *= extents[axis]) {
        const std::int64_t extent = extents[axis];
        for (std::int64_t power = 1; power < extent; power *= 10) {
            for (const std::int64_t digit : round) {
                const std::int64_t count = digit * power;
                const bool is_even = axis == 0 || extent % count == 0;
                const bool is_wide_enough = (points - 1) / (count * stride) <= intervals;
                if (count < extent && is_even && is_wide_enough) return count * stride;
            }
        }
    }
    return std::nullopt;
}

std::string label_of(std::int64_t point, const Axis& axis,
                     const std::vector<std::int64_t>& extents) {
    if (!axis.is_merged) return fmt::format("{}", point);
    std::vector<std::int64_t> coordinates;
    for (auto extent = extents.rbegin(); extent != extents.rend(); ++extent) {
        coordinates.push_back(point % *extent);
        point /= *extent;
    }
    std::ranges::reverse(coordinates);
    return fmt::format("({})", joined(coordinates, ", "));
}

/// Returns ticks of an axis that counts the points of a grid (Axis::extents). The ticks are at the
/// first points of every row of the grid, of every 2nd, 5th, 10th ... row or, in more than two
/// dimensions, of every so many planes, so that there are at most `intervals` intervals.
/// Tick::value is an index; the label is the number of the point or, if Axis::is_merged, its
/// coordinates: "(3, 0)". Where there is room, all other rows have minor ticks. Returns no ticks if
/// the grid has a single row.
std::vector<Tick> grid_ticks(const AxisOfTable& axis, int intervals) {
    const std::vector<std::int64_t> extents = in_order(axis.axis);
    const std::int64_t points = axis.positions();
    if (extents.empty() || points <= extents.back()) return {};
    const std::optional<std::int64_t> step = step_of(extents, points, intervals);
    if (!step) return {};
    constexpr int most_minor = 8;  // rows between two labels, as many as on a logarithmic axis
    const std::int64_t row = extents.back();
    const bool has_minor = (points - 1) / row <= std::int64_t{most_minor} * intervals;
    std::vector<Tick> ticks;
    for (std::int64_t point = 0; point < points; point += has_minor ? row : *step) {
        const bool is_minor = point % *step != 0;
        ticks.push_back({static_cast<double>(axis.axis.rows_before + point),
                         is_minor ? "" : label_of(point, axis.axis, extents), is_minor});
    }
    return ticks;
}

bool is_whole(double number) { return number == std::nearbyint(number); }

/// Returns ticks at round positions; no ticks if one of these lies between two indices.
std::vector<Tick> round_ticks(const Axis& axis, const Progression& positions, Limits ends,
                              int intervals) {
    const auto position = [&](double index) {
        return positions.start + positions.step * (index - static_cast<double>(axis.rows_before));
    };
    const double first = position(ends.low), last = position(ends.high);
    const Limits limits{std::min(first, last), std::max(first, last)};
    if (positions.step == 0 || !std::isfinite(limits.high - limits.low)) return {};
    constexpr double most_exact = 0x1p53;
    const bool are_whole = is_whole(positions.start) && is_whole(positions.step) &&
                           std::max(-limits.low, limits.high) < most_exact;
    std::vector<Tick> ticks =
        are_whole ? index_ticks(limits, intervals) : value_ticks(limits, intervals);
    for (Tick& tick : ticks) {
        constexpr double rounding = 1e-9;
        const double steps = (tick.value - positions.start) / positions.step;
        if (std::fabs(steps - std::nearbyint(steps)) > rounding) return {};
        tick.value = std::nearbyint(steps) + static_cast<double>(axis.rows_before);
    }
    return ticks;
}

/// Returns ticks at the indices of an axis whose indices have names: at all of them, or at every
/// second, third ... one, so that there are at most `intervals` intervals. The last index has a
/// tick if at most twice the step makes it so.
std::vector<Tick> named_ticks(const AxisOfTable& axis, int intervals) {
    const auto count = std::min<std::int64_t>(axis.extent, std::ssize(axis.axis.index_names));
    const std::int64_t least = std::max<std::int64_t>(1, (count - 2 + intervals) / intervals);
    std::int64_t step = least;
    while (step < 2 * least && (count - 1) % step != 0) ++step;
    if ((count - 1) % step != 0) step = least;
    std::vector<Tick> ticks;
    for (std::int64_t index = 0; index < count; index += step) {
        ticks.push_back({static_cast<double>(index), axis.axis.index_names[index]});
    }
    return ticks;
}

/// Returns ticks at round indices, counted from the first position.
std::vector<Tick> ticks_of_rows(const AxisOfTable& axis, Limits ends, int intervals) {
    const auto before = static_cast<double>(axis.axis.rows_before);
    const Limits limits{std::max(ends.low - before, -0.5),
                        std::min(ends.high - before, static_cast<double>(axis.positions()) - 0.5)};
    const std::vector<Tick> chosen = index_ticks(limits, intervals);
    std::vector<double> positions;
    for (const Tick& tick : chosen) {
        const auto index = static_cast<std::int64_t>(tick.value + before);
        positions.push_back(*position_at(axis.axis, index));
    }
    std::vector<Tick> ticks = ticks_at(positions);
    for (std::size_t i = 0; i < ticks.size(); ++i) ticks[i].value = chosen[i].value + before;
    return ticks;
}

}  // namespace

std::optional<Progression> equal_steps(const AxisOfTable& axis) {
    if (!axis.axis.positions) return Progression{0, 1};
    const Positions& positions = *axis.axis.positions;
    if (const auto progression = positions.progression()) return progression;
    const double start = positions[0];
    const auto intervals = static_cast<double>(positions.size() - 1);
    if (intervals == 0) return Progression{start, 1};
    const double step = (positions[positions.size() - 1] - start) / intervals;
    // Decimals such as 0.1, 0.2, 0.3 are rounded, so their steps differ slightly.
    const double rounding = 1e-9 * std::fabs(step);
    for (std::int64_t i = 0; i < positions.size(); ++i) {
        const double expected = start + step * static_cast<double>(i);
        if (!(std::fabs(positions[i] - expected) <= rounding)) return std::nullopt;
    }
    return Progression{start, step};
}

std::vector<Tick> position_ticks(const AxisOfTable& axis, Limits ends, int intervals) {
    assert(!axis.axis.positions || axis.axis.positions->size() == axis.positions());
    const std::int64_t before = axis.axis.rows_before;
    if (axis.positions() <= 0) return {};
    if (!axis.axis.index_names.empty()) return named_ticks(axis, intervals);
    if (std::vector<Tick> ticks = grid_ticks(axis, intervals); !ticks.empty()) return ticks;
    if (before > 0) ends.low = std::max(ends.low, static_cast<double>(before));
    if (const auto positions = equal_steps(axis)) {
        std::vector<Tick> ticks = round_ticks(axis.axis, *positions, ends, intervals);
        if (ticks.size() >= 2) return ticks;
    }
    return ticks_of_rows(axis, ends, intervals);
}

namespace {

/// The length of a power of ten under symlog(), where the linear part on one side has the length 1.
constexpr double length_of_power = 0.9;

Limits ends_of(const Scale& scale) {
    return {std::min(scale.first, scale.last), std::max(scale.first, scale.last)};
}

}  // namespace

Scale cells_rightwards(const AxisOfTable& axis) {
    return {ScaleKind::indices, -0.5, static_cast<double>(axis.extent) - 0.5, axis};
}

Scale cells_downwards(const AxisOfTable& axis) {
    return {ScaleKind::indices, static_cast<double>(axis.extent) - 0.5, -0.5, axis};
}

bool can_be_logarithmic(Limits limits) {
    return limits.low >= logarithmic_limits.low && limits.high <= logarithmic_limits.high;
}

Scale with_margins(ScaleKind kind, Limits limits) {
    constexpr double share = 0.05;
    if (kind == ScaleKind::powers) {
        const double factor = std::pow(limits.high / limits.low, share);
        return {kind, limits.low / factor, limits.high * factor, {}};
    }
    const double margin = share * limits.high - share * limits.low;
    constexpr double most = std::numeric_limits<double>::max();
    return {kind, std::max(limits.low - margin, -most), std::min(limits.high + margin, most), {}};
}

double symlog(double value, double threshold) {
    static const double ten = logarithm(10);
    const double size = std::fabs(value) / threshold;
    if (size <= 1) return value / threshold;
    return std::copysign(1 + length_of_power * logarithm(size) / ten, value);
}

double inverse_symlog(double place, double threshold) {
    const double size = std::fabs(place);
    if (size <= 1) return place * threshold;
    return std::copysign(threshold * power(10, (size - 1) / length_of_power), place);
}

double share_of(double value, const Scale& scale) {
    if (scale.kind == ScaleKind::powers) {
        return std::log(value / scale.first) / std::log(scale.last / scale.first);
    }
    if (scale.kind == ScaleKind::symlog) {
        const double first = symlog(scale.first, scale.threshold);
        return (symlog(value, scale.threshold) - first) /
               (symlog(scale.last, scale.threshold) - first);
    }
    // Halving prevents overflow: the distance of ends of opposite signs may exceed the largest
    // double.
    return (value / 2 - scale.first / 2) / (scale.last / 2 - scale.first / 2);
}

std::vector<Tick> ticks_of(const Scale& scale, int intervals) {
    switch (scale.kind) {
        case ScaleKind::indices:
            return scale.axis ? position_ticks(*scale.axis, ends_of(scale), intervals)
                              : index_ticks(ends_of(scale), intervals);
        case ScaleKind::values:
            return value_ticks(ends_of(scale), intervals);
        case ScaleKind::symlog:
            return symlog_ticks(ends_of(scale), scale.threshold, intervals);
        case ScaleKind::powers:
            break;
    }
    return power_ticks(ends_of(scale), intervals);
}

}  // namespace pegen

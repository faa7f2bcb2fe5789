#include "figure/axis_positions.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "figure/grid_ticks.h"

namespace pegen {
namespace {

bool is_whole(double number) { return number == std::nearbyint(number); }

/// Ticks at round positions, or none.
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

/// Ticks at round indices, counted from the first position.
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
    // Decimals such as 0.1, 0.2, 0.3 are rounded.
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
    if (std::vector<Tick> ticks = grid_ticks(axis, intervals); !ticks.empty()) return ticks;
    if (before > 0) ends.low = std::max(ends.low, static_cast<double>(before));
    if (const auto positions = equal_steps(axis)) {
        std::vector<Tick> ticks = round_ticks(axis.axis, *positions, ends, intervals);
        if (ticks.size() >= 2) return ticks;
    }
    return ticks_of_rows(axis, ends, intervals);
}

}  // namespace pegen

#include "encodings/images/grid_bases.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/to_size.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using numerics::ChannelRun;
using numerics::Function;

/// The logarithms of bases that values allow.
struct Interval {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();

    bool is_empty() const { return !(low <= high); }
    bool is_bounded() const { return std::isfinite(low) && std::isfinite(high); }
    double middle() const { return (low + high) / 2; }
};

struct Wave {
    double radius;
    double position;
    double exponent;  ///< of the base
};

/// A value of the array, and how far the exact one may be from it.
struct Cell {
    double value;
    double reach;
};

/// Keeps the logarithms near `log_base` with which the wave is within reach of the cell: as on the
/// tangent.
void narrow(Interval& allowed, const Wave& wave, const Cell& cell, Function function,
            double log_base) {
    const double angle = wave.position * std::exp(wave.exponent * log_base);
    const bool is_sine = function == Function::sin;
    const double expected = wave.radius * (is_sine ? std::sin(angle) : std::cos(angle));
    const double slope =
        wave.radius * (is_sine ? std::cos(angle) : -std::sin(angle)) * angle * wave.exponent;
    // Where the wave turns round, its tangent says nothing.
    if (std::fabs(slope) < 4 * cell.reach) return;
    const double a = (cell.value - cell.reach - expected) / slope;
    const double b = (cell.value + cell.reach - expected) / slope;
    allowed.low = std::max(allowed.low, log_base + std::min(a, b));
    allowed.high = std::min(allowed.high, log_base + std::max(a, b));
}

}  // namespace

std::optional<std::vector<Measured>> bases_by_rounding(const evidence::Sample& points,
                                                       const evidence::PointGrid& grid,
                                                       std::string_view names,
                                                       const GridNesting& nesting,
                                                       const GridNumbers& numbers) {
    std::vector<double> logs;
    for (const double base : numbers.bases) logs.push_back(std::log(base));
    const bool is_shared = std::ranges::adjacent_find(logs, std::not_equal_to()) == logs.end();
    std::vector<Interval> allowed;
    // The first tangent is only near the place where the values are met.
    for (const double slack : {4.0, 2.0, 1.0, 1.0}) {
        allowed.assign(logs.size(), {});
        for (std::size_t axis = 0; axis < names.size(); ++axis) {
            const auto channels =
                static_cast<double>(nesting.channels[nesting.axes.find(names[axis])]);
            Interval& of_axis = allowed[is_shared ? 0 : axis];
            const std::vector<std::int64_t> rows = grid.line(axis, points);
            for (const ChannelRun& run : layout_of(nesting, names[axis]).runs) {
                for (std::int64_t k = 1; k < run.count; ++k) {
                    const std::int64_t column = run.first_channel + k * run.channel_stride;
                    if (column >= points.extents.back()) continue;
                    for (std::size_t index = 0; index < rows.size(); ++index) {
                        const Wave wave{
                            numbers.radius,
                            numbers.starts[axis] + numbers.steps[axis] * static_cast<double>(index),
                            -2 * static_cast<double>(k) / (channels - numbers.shift)};
                        const double value =
                            points.values[to_size(rows[index] * points.extents.back() + column)];
                        narrow(of_axis, wave, {value, slack * points.error_of(value)}, run.function,
                               logs[axis]);
                    }
                }
            }
        }
        for (std::size_t axis = 0; axis < logs.size(); ++axis) {
            const Interval& of_axis = allowed[is_shared ? 0 : axis];
            if (of_axis.is_empty()) return std::nullopt;
            if (of_axis.is_bounded()) logs[axis] = of_axis.middle();
        }
    }
    std::vector<Measured> bases;
    for (std::size_t axis = 0; axis < logs.size(); ++axis) {
        const Interval& of_axis = allowed[is_shared ? 0 : axis];
        if (!of_axis.is_bounded()) return std::nullopt;
        const double base = std::exp(logs[axis]);
        bases.push_back({base, base * (of_axis.high - of_axis.low) / 2});
    }
    return bases;
}

}  // namespace pegen::encodings

#include "figure/scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/powers.h"

namespace pegen {
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

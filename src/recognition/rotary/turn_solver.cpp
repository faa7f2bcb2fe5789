#include "recognition/rotary/turn_solver.h"

#include <cmath>
#include <numbers>

namespace pegen::recognition {
namespace {

constexpr double pi = std::numbers::pi;

/// Returns the part of the value's bounds that a sine or cosine can have, [-1, 1].
evidence::Bounds wave_bounds(const Measured& value) {
    const auto [low, high] = evidence::bounds_of(value);
    return {std::clamp(low, -1.0, 1.0), std::clamp(high, -1.0, 1.0)};
}

/// Adds the stretches of x within `bounds` for which scale * x is within the arc, modulo 2 pi.
/// False if there are more than `most`.
bool add_stretches(std::vector<evidence::Bounds>& found, const evidence::Bounds& bounds,
                   double scale, const evidence::Bounds& arc, double drift, std::size_t most) {
    const evidence::Bounds angles{std::min(bounds.low * scale, bounds.high * scale),
                                  std::max(bounds.low * scale, bounds.high * scale)};
    const double room = drift * std::max(std::fabs(angles.low), std::fabs(angles.high));
    const double first = std::ceil((angles.low - arc.high - room) / (2 * pi));
    const double last = std::floor((angles.high - arc.low + room) / (2 * pi));
    if (!(last - first < static_cast<double>(most))) return false;
    for (double turn = first; turn <= last; ++turn) {
        const double slack = drift * (std::fabs(arc.middle() + turn * 2 * pi)) + 1e-15;
        const double low = arc.low + turn * 2 * pi - slack;
        const double high = arc.high + turn * 2 * pi + slack;
        const evidence::Bounds stretch = evidence::both(
            bounds, {std::min(low / scale, high / scale), std::max(low / scale, high / scale)});
        if (!stretch.is_empty()) found.push_back(stretch);
    }
    return found.size() <= most;
}

/// Sorts the stretches, and joins overlapping ones.
std::vector<evidence::Bounds> joined(std::vector<evidence::Bounds> stretches) {
    std::ranges::sort(stretches, {}, &evidence::Bounds::low);
    std::vector<evidence::Bounds> result;
    for (const evidence::Bounds& stretch : stretches) {
        if (!result.empty() && stretch.low <= result.back().high) {
            result.back().high = std::max(result.back().high, stretch.high);
        } else {
            result.push_back(stretch);
        }
    }
    return result;
}

}  // namespace

ShownAngle angle_of_cosine(const Measured& cosine) {
    const auto [low, high] = wave_bounds(cosine);
    const evidence::Bounds angle{std::acos(high), std::acos(low)};
    return {angle, evidence::Bounds{-angle.high, -angle.low}};
}

ShownAngle angle_of_sine(const Measured& sine) {
    const auto [low, high] = wave_bounds(sine);
    const evidence::Bounds angle{std::asin(low), std::asin(high)};
    return {angle, evidence::Bounds{pi - angle.high, pi - angle.low}};
}

ShownAngle angle_of_both(const Measured& cosine, const Measured& sine) {
    // The smaller of the two values determines the angle more sharply. Squares of the errors are
    // included.
    const double error = std::fabs(sine.value) * cosine.error +
                         std::fabs(cosine.value) * sine.error + cosine.error * cosine.error +
                         sine.error * sine.error;
    const double angle = std::atan2(sine.value, cosine.value);
    return {{angle - error, angle + error}};
}

std::vector<evidence::Bounds> solve(const evidence::Bounds& bounds,
                                    std::span<const TurnEquation> equations, double drift,
                                    std::size_t most) {
    std::vector<evidence::Bounds> stretches{bounds};
    for (const TurnEquation& equation : equations) {
        if (equation.scale == 0) continue;
        std::vector<evidence::Bounds> next;
        bool is_few = true;
        for (const evidence::Bounds& stretch : stretches) {
            const auto& [scale, angle, drifts] = equation;
            is_few = is_few && add_stretches(next, stretch, scale, angle.arc, drifts * drift, most);
            if (!angle.other) continue;
            is_few =
                is_few && add_stretches(next, stretch, scale, *angle.other, drifts * drift, most);
        }
        if (!is_few) continue;
        if (next.empty()) return {};
        stretches = joined(std::move(next));
    }
    return stretches;
}

}  // namespace pegen::recognition

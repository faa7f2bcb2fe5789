#include "identify/geometric_steps.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace pegen::identify {
namespace {

using evidence::Measured;

struct LogStep {
    double pair;
    double log;
    double error;
};

std::optional<Line> fitted(const std::vector<LogStep>& points) {
    double w = 0, wx = 0, wy = 0;
    for (const LogStep& p : points) {
        const double weight = 1 / (p.error * p.error);
        w += weight;
        wx += weight * p.pair;
        wy += weight * p.log;
    }
    const double x0 = wx / w, y0 = wy / w;
    double xx = 0, xy = 0;
    for (const LogStep& p : points) {
        const double weight = 1 / (p.error * p.error);
        xx += weight * (p.pair - x0) * (p.pair - x0);
        xy += weight * (p.pair - x0) * (p.log - y0);
    }
    if (!(xx > 0)) return {};
    const double slope = -xy / xx;
    return Line{{y0 + slope * x0, 4 * std::sqrt(1 / w + x0 * x0 / xx)}, {slope, 4 / std::sqrt(xx)}};
}

}  // namespace

std::optional<Line> line_of(std::span<const Measured> steps, std::size_t begin) {
    std::vector<LogStep> points;
    for (std::size_t m = begin; m < steps.size(); ++m) {
        const auto [value, error] = steps[m];
        if (!(value > 8 * error)) continue;
        points.push_back(
            {static_cast<double>(m), std::log(value), error / value + float32_share / 4});
    }
    std::size_t left_out = 0;
    while (points.size() >= 2) {
        const std::optional<Line> line = fitted(points);
        if (!line) return {};
        const auto off = [&](const LogStep& p) {
            return std::fabs(p.log - line->first.value + line->slope.value * p.pair) / p.error;
        };
        const auto worst = std::ranges::max_element(points, {}, off);
        if (off(*worst) <= 4) return line;
        if (++left_out * 12 > points.size()) return {};
        points.erase(worst);
    }
    return {};
}

}  // namespace pegen::identify

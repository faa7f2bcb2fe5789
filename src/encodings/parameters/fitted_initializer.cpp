#include "encodings/parameters/fitted_initializer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "encodings/parameters/candidate_numbers.h"
#include "encodings/parameters/truncated_normal_fit.h"

namespace pegen::encodings {
namespace {

/// The line values = shift + factor * draws, by least squares.
struct Line {
    evidence::Measured shift;
    evidence::Measured factor;
};

/// Returns nothing if the values are not on a line that rises.
std::optional<Line> fit_line(std::span<const double> values, std::span<const double> draws,
                             const FitContext& context) {
    double count = 0, mean_v = 0, mean_x = 0, xx = 0, xv = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i])) continue;
        count += 1;
        const double v = values[i] - mean_v, x = draws[i] - mean_x;
        mean_v += v / count;
        mean_x += x / count;
        xx += x * (draws[i] - mean_x);
        xv += x * (values[i] - mean_v);
    }
    if (count < 3 || !(xx > 0) || !(xv > 0)) return std::nullopt;
    const double factor = xv / xx, shift = mean_v - factor * mean_x;
    double largest = 0;
    for (const double value : values) {
        if (!std::isnan(value)) largest = std::max(largest, unit_of(value, context.precision));
    }
    // The line itself is off by what the values' rounding leaves of it.
    const double slack = context.noise + 0x1p-22 * std::fabs(shift) + 0x1p-21 * factor +
                         6 * largest / std::sqrt(count);
    double squares = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i])) continue;
        const double rest = std::fabs(values[i] - shift - factor * draws[i]);
        if (rest > 3 * unit_of(values[i], context.precision) + slack) return std::nullopt;
        squares += rest * rest;
    }
    // Six standard errors, and the rounding of PyTorch's parameters to float32.
    const double error = 6 * std::max(std::sqrt(squares / count), largest / 8) / std::sqrt(count);
    const double deviation = std::sqrt(xx / count);
    return Line{{shift, error * (1 + std::fabs(mean_x) / deviation) + 0x1p-23 * std::fabs(shift)},
                {factor, error / deviation + 0x1p-23 * factor}};
}

}  // namespace

bool is_affine(std::span<const double> values, std::span<const double> draws,
               const FitContext& context) {
    return fit_line(values, draws, context).has_value();
}

bool is_rising(std::span<const double> values, std::span<const double> draws) {
    std::vector<std::pair<double, double>> points;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isnan(values[i])) points.emplace_back(draws[i], values[i]);
    }
    std::ranges::sort(points);
    return std::ranges::is_sorted(points, {}, &std::pair<double, double>::second);
}

std::vector<std::string> fitted_normals(std::span<const double> values,
                                        std::span<const double> normals,
                                        const FitContext& context) {
    const std::optional<Line> line = fit_line(values, normals, context);
    if (!line) return {};
    return cheapest_texts("normal:", {candidate_numbers(line->shift, context.columns),
                                      candidate_numbers(line->factor, context.columns)});
}

std::vector<std::string> fitted_uniforms(std::span<const double> values,
                                         std::span<const double> units, const FitContext& context) {
    const std::optional<Line> line = fit_line(values, units, context);
    if (!line) return {};
    const evidence::Measured low = line->shift;
    const evidence::Measured high{low.value + line->factor.value, low.error + line->factor.error};
    std::vector<std::string> texts = cheapest_texts(
        "uniform:",
        {candidate_numbers(low, context.columns), candidate_numbers(high, context.columns)});
    const double bound = std::sqrt(6 / static_cast<double>(context.rows + context.columns));
    const bool is_xavier = std::fabs(low.value + bound) <= low.error + 0x1p-23 * bound &&
                           std::fabs(high.value - bound) <= high.error + 0x1p-23 * bound;
    if (is_xavier) texts.insert(texts.begin(), "xavier-uniform");
    return texts;
}

std::vector<std::string> fitted_truncated_normals(std::span<const double> values,
                                                  std::span<const double> units,
                                                  const FitContext& context) {
    const std::optional<TruncatedNormal> fit = fit_truncated_normal(values, units, context);
    if (!fit) return {};
    // Ends beyond six deviations have no effect in float32; PyTorch's own are -2 and 2.
    const double beyond = 6 * fit->std.value + std::fabs(fit->mean.value);
    const double out_of_sight = beyond <= 2 ? 2 : std::ceil(beyond);
    const auto end = [&](const std::optional<evidence::Measured>& measured, double sign) {
        if (measured) return candidate_numbers(*measured, context.columns);
        return std::vector{CandidateNumber{fmt::format("{}", sign * out_of_sight), 0}};
    };
    return cheapest_texts("trunc-normal:", {candidate_numbers(fit->mean, context.columns),
                                            candidate_numbers(fit->std, context.columns),
                                            end(fit->low, -1), end(fit->high, 1)});
}

}  // namespace pegen::encodings

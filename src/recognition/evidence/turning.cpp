#include "recognition/evidence/turning.h"

#include <algorithm>
#include <cmath>

#include "recognition/evidence/median.h"

namespace pegen::evidence {
namespace {

/// The largest drift of float32 code from the straight line, at positions of 10^5.
constexpr double largest_drift = 0.02;

struct Cell {
    double row;
    double angle;
    double error;
};

std::vector<Cell> known_cells(std::span<const double> angles, std::span<const double> errors) {
    std::vector<Cell> cells;
    cells.reserve(angles.size());
    for (std::size_t row = 0; row < angles.size(); ++row) {
        if (std::isfinite(errors[row])) {
            cells.push_back({static_cast<double>(row), angles[row], errors[row]});
        }
    }
    return cells;
}

/// Returns the number below which three quarters of the values are.
double three_quarters(std::vector<double>& values) {
    const auto place = values.begin() + 3 * std::ssize(values) / 4;
    std::ranges::nth_element(values, place);
    return *place;
}

/// Returns the middle of angles that are near each other. Clears the list.
double middle_angle(std::vector<double>& angles) {
    double sines = 0, cosines = 0;
    for (const double angle : angles) {
        sines += std::sin(angle);
        cosines += std::cos(angle);
    }
    const double mean = std::atan2(sines, cosines);
    for (double& angle : angles) angle = wrapped(angle - mean);
    return mean + median(angles);
}

/// Returns the advance, measured between rows farther and farther apart, so that it becomes as
/// precise as all rows allow without being led astray by spoiled rows.
double advance_of(std::span<const double> angles, std::span<const double> errors) {
    double advance = 0;
    std::vector<double> differences;
    for (std::size_t lag = 1; lag < angles.size(); lag *= 2) {
        const double expected = advance * static_cast<double>(lag);
        differences.clear();
        for (std::size_t row = lag; row < angles.size(); ++row) {
            if (std::isfinite(errors[row]) && std::isfinite(errors[row - lag])) {
                differences.push_back(wrapped(angles[row] - angles[row - lag] - expected));
            }
        }
        if (differences.empty()) continue;
        const double more = lag == 1 ? middle_angle(differences) : median(differences);
        advance += more / static_cast<double>(lag);
        if (lag > 1 && angles.size() / lag < 4) break;
    }
    return advance;
}

/// A straight line through cells, relative to a first guess, and how well the cells are on it.
struct Fit {
    Measured slope;
    Measured height;
    std::size_t cells;   ///< number of cells near the line
    double scatter = 0;  ///< root mean square distance from the line, in errors
};

/// Fits residual = height + slope * row to the cells that are near the line `before`: within 8 of
/// their errors and `drift`.
Fit fitted(const std::vector<Cell>& cells, const std::vector<double>& residuals, double least_error,
           const Fit& before, double drift) {
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
    const auto distance = [&](std::size_t i, const Fit& fit) {
        return residuals[i] - fit.height.value - fit.slope.value * cells[i].row;
    };
    const auto is_near = [&](std::size_t i) {
        return std::fabs(distance(i, before)) <= 8 * cells[i].error + drift;
    };
    const auto weight = [&](std::size_t i) {
        const double error = std::max(cells[i].error, least_error);
        return 1 / (error * error);
    };
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!is_near(i)) continue;
        const double weight_i = weight(i);
        w += weight_i;
        wx += weight_i * cells[i].row;
        wy += weight_i * residuals[i];
    }
    if (w == 0) return {{0, 0}, {0, 0}, 0};
    const double mean_x = wx / w, mean_y = wy / w;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!is_near(i)) continue;
        wxx += weight(i) * (cells[i].row - mean_x) * (cells[i].row - mean_x);
        wxy += weight(i) * (cells[i].row - mean_x) * (residuals[i] - mean_y);
    }
    Fit fit{{0, 0}, {0, 0}, 0};
    fit.slope.value = wxx > 0 ? wxy / wxx : 0;
    fit.height.value = mean_y - fit.slope.value * mean_x;
    double squares = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!is_near(i)) continue;
        ++fit.cells;
        squares += weight(i) * distance(i, fit) * distance(i, fit);
    }
    fit.scatter = std::sqrt(squares / static_cast<double>(fit.cells));
    const double sigmas = 3 * std::max(fit.scatter, 1.0);
    fit.slope.error = wxx > 0 ? sigmas / std::sqrt(wxx) : 0;
    fit.height.error = sigmas * std::sqrt(1 / w + (wxx > 0 ? mean_x * mean_x / wxx : 0));
    return fit;
}

}  // namespace

std::optional<Turning> turning_of(std::span<const double> angles, std::span<const double> errors) {
    const std::vector<Cell> cells = known_cells(angles, errors);
    if (cells.size() < 2) return std::nullopt;
    const double advance = advance_of(angles, errors);
    std::vector<double> residuals;
    for (const Cell& cell : cells) residuals.push_back(wrapped(cell.angle - advance * cell.row));
    std::vector<double> copy = residuals;
    const double phase = middle_angle(copy);
    for (double& residual : residuals) residual = wrapped(residual - phase);
    std::vector<double> sizes;
    for (const Cell& cell : cells) sizes.push_back(cell.error);
    const double usual_error = median(sizes);
    // An exact 0 must not outweigh all other values, because its angle may have been rounded
    // before.
    const double least_error = std::max(usual_error / 2, 1e-18);

    Fit fit{{0, 0}, {0, 0}, 0};
    double drift = largest_drift;
    constexpr int rounds = 3;
    for (int round = 0; round < rounds; ++round) {
        fit = fitted(cells, residuals, least_error, fit, drift);
        std::vector<double> distances;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            distances.push_back(
                std::fabs(residuals[i] - fit.height.value - fit.slope.value * cells[i].row));
        }
        drift = std::min(largest_drift, 6 * three_quarters(distances));
    }
    // Neighbouring rows of a slow wave are rounded alike, so part of their errors is common. The
    // second term is the error of doubles here.
    fit.height.error += usual_error + 1e-15 * static_cast<double>(angles.size());
    fit.slope.error += 1e-15;
    if (fit.cells < 2 || 5 * fit.cells < 4 * cells.size()) return std::nullopt;
    constexpr double usual_scatter = 3;
    return Turning{.advance = {wrapped(advance + fit.slope.value), fit.slope.error},
                   .phase = {wrapped(phase + fit.height.value), fit.height.error},
                   .is_straight = fit.scatter < usual_scatter && fit.cells == cells.size()};
}

std::optional<std::vector<Turning>> turnings_of(const Angles& angles) {
    std::vector<Turning> turnings;
    const std::size_t rows = angles.rows;
    for (std::int64_t pair = 0; pair < angles.pairs; ++pair) {
        const auto turning = turning_of(std::span(angles.values).subspan(pair * rows, rows),
                                        std::span(angles.errors).subspan(pair * rows, rows));
        if (!turning) return std::nullopt;
        turnings.push_back(*turning);
    }
    return turnings;
}

}  // namespace pegen::evidence

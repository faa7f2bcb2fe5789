#include "evidence/wave_fit.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pegen::evidence {
namespace {

/// Inverts a symmetric positive matrix; none if it is singular.
std::optional<WaveMatrix> inverse(WaveMatrix a) {
    WaveMatrix result{};
    for (std::size_t i = 0; i < 4; ++i) result[i][i] = 1;
    for (std::size_t column = 0; column < 4; ++column) {
        std::size_t pivot = column;
        for (std::size_t row = column; row < 4; ++row) {
            if (std::fabs(a[row][column]) > std::fabs(a[pivot][column])) pivot = row;
        }
        if (!(std::fabs(a[pivot][column]) > 1e-300)) return std::nullopt;
        std::swap(a[pivot], a[column]);
        std::swap(result[pivot], result[column]);
        const double scale = 1 / a[column][column];
        for (std::size_t k = 0; k < 4; ++k) {
            a[column][k] *= scale;
            result[column][k] *= scale;
        }
        for (std::size_t row = 0; row < 4; ++row) {
            if (row == column) continue;
            const double factor = a[row][column];
            for (std::size_t k = 0; k < 4; ++k) {
                a[row][k] -= factor * a[column][k];
                result[row][k] -= factor * result[column][k];
            }
        }
    }
    return result;
}

double squares_of(const WaveModel& model, const std::vector<WaveCell>& cells) {
    double squares = 0;
    for (const WaveCell& cell : cells) {
        const double off = (cell.value - model(cell.row)) / cell.error;
        squares += off * off;
    }
    return squares;
}

}  // namespace

double WaveModel::operator()(double row) const {
    const auto& [advance, phase, amplitude, offset] = parameters;
    return offset + amplitude * std::sin(phase + row * advance);
}

WaveVector WaveModel::gradient(double row) const {
    const auto& [advance, phase, amplitude, offset] = parameters;
    const double angle = phase + row * advance;
    const double slope = amplitude * std::cos(angle);
    WaveVector result{slope * row, slope, std::sin(angle), 1};
    for (std::size_t i = 0; i < 4; ++i) {
        if (!is_free[i]) result[i] = 0;
    }
    return result;
}

std::optional<WaveFit> fitted(WaveModel model, const std::vector<WaveCell>& cells) {
    double squares = squares_of(model, cells);
    double damping = 1e-3;
    constexpr int most_rounds = 60;
    for (int round = 0; round < most_rounds; ++round) {
        WaveMatrix normal{};
        WaveVector right{};
        for (const WaveCell& cell : cells) {
            const WaveVector gradient = model.gradient(cell.row);
            const double off = (cell.value - model(cell.row)) / cell.error;
            for (std::size_t i = 0; i < 4; ++i) {
                const double scaled = gradient[i] / cell.error;
                right[i] += scaled * off;
                for (std::size_t k = 0; k < 4; ++k) {
                    normal[i][k] += scaled * gradient[k] / cell.error;
                }
            }
        }
        for (std::size_t i = 0; i < 4; ++i) {
            if (!model.is_free[i]) normal[i][i] = 1;
        }
        bool is_better = false;
        double gain = 0;
        for (; damping < 1e12 && !is_better; damping *= is_better ? 1 : 10) {
            WaveMatrix damped = normal;
            for (std::size_t i = 0; i < 4; ++i) damped[i][i] *= 1 + damping;
            const auto inverted = inverse(damped);
            if (!inverted) continue;
            WaveModel next = model;
            for (std::size_t i = 0; i < 4; ++i) {
                for (std::size_t k = 0; k < 4; ++k) {
                    next.parameters[i] += (*inverted)[i][k] * right[k];
                }
            }
            const double next_squares = squares_of(next, cells);
            is_better = next_squares <= squares;
            if (!is_better) continue;
            gain = squares - next_squares;
            model = next;
            squares = next_squares;
            damping = std::max(damping / 30, 1e-12);
        }
        if (is_better && gain > 1e-6 * (1 + squares)) continue;
        const auto covariance = inverse(normal);
        if (!covariance) return std::nullopt;
        return WaveFit{model, squares, *covariance};
    }
    return std::nullopt;
}

}  // namespace pegen::evidence

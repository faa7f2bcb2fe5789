#include "recognition/evidence/lone_wave.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "recognition/evidence/circle.h"
#include "recognition/evidence/distribution.h"

namespace pegen::evidence {
namespace {

// Least squares of one wave with an amplitude and an offset.

/// A value through which a wave should go.
struct WaveCell {
    double row;  ///< counted from the middle, for precision
    double value;
    double error;
};

/// Advance, phase, amplitude and offset, in this order.
using WaveVector = std::array<double, 4>;
using WaveMatrix = std::array<WaveVector, 4>;

/// The wave amplitude * sin(phase + row * advance) + offset. The parameters in `is_free` are
/// fitted.
struct WaveModel {
    WaveVector parameters;
    std::array<bool, 4> is_free;

    double operator()(double row) const;
    /// Returns the derivatives by the parameters, 0 for a parameter that is not free.
    WaveVector gradient(double row) const;
};

struct WaveFit {
    WaveModel model;
    double squares;  ///< sum of the squared distances, in errors
    WaveMatrix covariance;
};

/// Returns the inverse of a symmetric positive matrix; none if the matrix is singular.
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

/// Fits the free parameters by least squares (Levenberg, Marquardt), starting from a guess; none if
/// the fit does not converge.
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

constexpr double pi = std::numbers::pi;

/// Returns the advance from x[n + lag] + x[n - lag] = 2 cos(lag * advance) x[n], for lags that
/// grow while the advance becomes precise enough to count the turns.
double advance_by_lags(std::span<const double> values, const std::optional<double>& offset) {
    double advance = 0, error = std::numeric_limits<double>::infinity();
    for (std::size_t lag = 1; 4 * lag <= values.size() || lag == 1; lag *= 2) {
        double n = 0, x = 0, y = 0;
        for (std::size_t i = lag; i + lag < values.size(); ++i) {
            n += 1;
            x += values[i];
            y += values[i - lag] + values[i + lag];
        }
        const double mean_x = offset ? *offset : x / n, mean_y = offset ? 2 * *offset : y / n;
        double xx = 0, xy = 0, yy = 0;
        for (std::size_t i = lag; i + lag < values.size(); ++i) {
            const double dx = values[i] - mean_x, dy = values[i - lag] + values[i + lag] - mean_y;
            xx += dx * dx;
            xy += dx * dy;
            yy += dy * dy;
        }
        if (!(xx > 0)) break;
        const double cosine = std::clamp(xy / xx / 2, -1.0, 1.0);
        const double scatter = std::max(yy - xy * xy / xx, 0.0) / (xx * n);
        const double cosine_error = std::sqrt(scatter) + 1e-16;
        const double angle = std::acos(cosine), sine = std::sin(angle);
        const double angle_error = cosine_error / std::max(sine, std::sqrt(cosine_error));
        const auto step = static_cast<double>(lag);
        if (lag == 1) {
            advance = angle;
            error = angle_error;
            continue;
        }
        if (!(error * step < pi / 4) || angle_error / step >= error) continue;
        const double expected = advance * step;
        const double turns = std::rint(expected / (2 * pi));
        const double rest = expected - 2 * pi * turns;
        advance = (2 * pi * turns + std::copysign(angle, rest)) / step;
        error = angle_error / step;
    }
    return std::fabs(advance);
}

/// Returns the best guess at this advance, by solving for the sine part and the cosine part.
WaveModel linear_guess(const std::vector<WaveCell>& cells, double advance, const WaveModel& known) {
    const double offset = known.parameters[3];
    double ss = 0, sc = 0, cc = 0, sv = 0, cv = 0;
    for (const WaveCell& cell : cells) {
        const double s = std::sin(cell.row * advance), c = std::cos(cell.row * advance);
        const double v = cell.value - offset;
        ss += s * s;
        sc += s * c;
        cc += c * c;
        sv += s * v;
        cv += c * v;
    }
    const double determinant = ss * cc - sc * sc;
    WaveModel model = known;
    model.parameters[0] = advance;
    if (determinant > 1e-12 * ss * cc) {
        const double of_sine = (sv * cc - cv * sc) / determinant;
        const double of_cosine = (cv * ss - sv * sc) / determinant;
        model.parameters[1] = std::atan2(of_cosine, of_sine);
        if (model.is_free[2]) model.parameters[2] = std::hypot(of_sine, of_cosine);
    } else {
        model.parameters[1] = cv > 0 ? pi / 2 : -pi / 2;
    }
    return model;
}

/// Returns a guess of a slow wave of known amplitude from its height and its slope in the middle.
WaveModel slow_guess(const std::vector<WaveCell>& cells, const WaveModel& known) {
    double n = 0, x = 0, xx = 0, xy = 0;
    for (const WaveCell& cell : cells) {
        n += 1;
        x += cell.value;
        xx += cell.row * cell.row;
        xy += cell.row * cell.value;
    }
    const double amplitude = known.parameters[2];
    const double slope = xy / xx / amplitude;
    const double height = std::clamp((x / n - known.parameters[3]) / amplitude, -1.0, 1.0);
    WaveModel model = known;
    model.parameters[1] = slope >= 0 ? std::asin(height) : pi - std::asin(height);
    const double cosine = std::max(std::sqrt(1 - height * height), 1e-3);
    model.parameters[0] = std::fabs(slope) / cosine;
    return model;
}

struct Judged {
    std::size_t near = 0;
    std::vector<WaveCell> cells{};  ///< the cells near the wave
};

Judged judged(const WaveModel& model, const std::vector<WaveCell>& cells) {
    Judged result;
    const double last = cells.empty() ? 0 : cells.back().row;
    // Code in float32 has an error relative to the angle.
    const double drift =
        0x1p-20 * std::fabs(model.parameters[2]) * (1 + 2 * last * std::fabs(model.parameters[0]));
    for (const WaveCell& cell : cells) {
        if (std::fabs(cell.value - model(cell.row)) > 4 * cell.error + drift) continue;
        ++result.near;
        result.cells.push_back(cell);
    }
    return result;
}

LoneWave wave_of(const WaveFit& fit, std::size_t cells, double middle) {
    const auto freedom = static_cast<double>(std::max<std::size_t>(cells, 6) - 4);
    const double sigmas = 3 * std::sqrt(std::max(fit.squares / freedom, 1.0));
    const auto measured = [&](std::size_t i) {
        return Measured{
            fit.model.parameters[i],
            fit.model.is_free[i] ? sigmas * std::sqrt(std::max(fit.covariance[i][i], 0.0)) : 0};
    };
    Measured advance = measured(0), phase = measured(1), amplitude = measured(2);
    if (amplitude.value < 0) {
        amplitude.value = -amplitude.value;
        phase.value += pi;
    }
    phase.value -= advance.value * middle;
    const WaveMatrix& v = fit.covariance;
    phase.error = sigmas * std::sqrt(std::max(
                               v[1][1] - 2 * middle * v[0][1] + middle * middle * v[0][0], 0.0));
    if (advance.value < 0) {  // sin(p + a n) = sin(pi - p - a n)
        advance.value = -advance.value;
        phase.value = pi - phase.value;
    }
    phase.value = wrapped(phase.value);
    return {.amplitude = amplitude, .offset = measured(3), .advance = advance, .phase = phase};
}

}  // namespace

std::optional<LoneWave> lone_wave(std::span<const double> values, std::span<const double> errors,
                                  const KnownOfWave& known) {
    constexpr std::size_t fewest = 6;
    const bool is_finite = std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
    if (values.size() < fewest || !is_finite) return std::nullopt;
    const double middle = static_cast<double>(values.size() - 1) / 2;
    // An exact 0 must not outweigh all other values.
    const double least_error = std::max(1e-2 * median({errors.begin(), errors.end()}), 1e-300);
    std::vector<WaveCell> cells;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(errors[i])) continue;
        cells.push_back(
            {static_cast<double>(i) - middle, values[i], std::max(errors[i], least_error)});
    }
    if (cells.size() < fewest) return std::nullopt;
    const auto [low, high] = std::ranges::minmax(values);
    const double guessed_offset = known.offset.value_or((low + high) / 2);
    const WaveModel start{{0, 0, known.amplitude.value_or((high - low) / 2), guessed_offset},
                          {true, true, !known.amplitude, !known.offset}};
    std::vector<WaveModel> guesses{
        linear_guess(cells, advance_by_lags(values, known.offset), start)};
    if (known.amplitude) guesses.push_back(slow_guess(cells, start));

    std::optional<WaveFit> best;
    for (const WaveModel& guess : guesses) {
        const auto fit = fitted(guess, cells);
        if (fit && (!best || fit->squares < best->squares)) best = fit;
    }
    if (!best) return std::nullopt;
    const Judged first = judged(best->model, cells);
    if (first.near < cells.size() && first.near >= fewest && 4 * first.near >= 3 * cells.size()) {
        best = fitted(best->model, first.cells);
        if (!best) return std::nullopt;
    }
    const Judged last = judged(best->model, cells);
    if (10 * last.near < 9 * cells.size()) return std::nullopt;
    return wave_of(*best, last.near, middle);
}

}  // namespace pegen::evidence

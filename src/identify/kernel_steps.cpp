#include "identify/kernel_steps.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "core/to_size.h"

namespace pegen::identify {
namespace {

using Complex = std::complex<double>;
using evidence::Measured;

constexpr double unknown = std::numeric_limits<double>::infinity();

/// Returns how far the angle of a turn may be from the true one.
double angle_error(const Turns& turns, const Turn& turn) {
    return turn.error < turns.factor / 4 ? std::sqrt(2.0) * turn.error / turns.factor : unknown;
}

Complex complex_of(const Turn& turn) { return {turn.cos, turn.sin}; }

/// Returns the step from one row to the next, for each pair.
std::vector<Measured> step_after(const Turns& turns, std::int64_t row) {
    std::vector<Measured> steps;
    for (std::int64_t m = 0; m < turns.pairs; ++m) {
        const Turn &a = turns.at(row, m), &b = turns.at(row + 1, m);
        steps.push_back({std::arg(complex_of(b) * std::conj(complex_of(a))),
                         angle_error(turns, a) + angle_error(turns, b)});
    }
    return steps;
}

bool are_alike(const std::vector<Measured>& a, const std::vector<Measured>& b) {
    std::size_t far = 0, known = 0;
    for (std::size_t m = 0; m < a.size(); ++m) {
        const double error = a[m].error + b[m].error;
        if (error > 1) continue;
        ++known;
        // Beyond the arithmetic: code in float32 rounds angles, large ones by much.
        constexpr double float32_angle = 0.05;
        if (std::fabs(wrapped(a[m].value - b[m].value)) > error + float32_angle) ++far;
    }
    return known > 0 && far * 20 <= known;
}

bool is_turned(const std::vector<Measured>& step) {
    return std::ranges::any_of(
        step, [](const Measured& angle) { return std::fabs(angle.value) > 4 * angle.error; });
}

/// Returns which of the steps most others are like, and which those are. Rows of one position have
/// no step; where no step shows by itself, they all count.
std::vector<bool> usual_steps(const std::vector<std::vector<Measured>>& steps) {
    constexpr std::size_t most_tried = 48;
    const bool shows = std::ranges::any_of(steps, is_turned);
    std::vector<bool> best(steps.size(), false);
    std::ptrdiff_t most = 0;
    for (std::size_t i = 0; i < std::min(most_tried, steps.size()); ++i) {
        if (shows && !is_turned(steps[i])) continue;
        std::vector<bool> alike;
        for (const std::vector<Measured>& other : steps)
            alike.push_back(are_alike(steps[i], other));
        const std::ptrdiff_t count = std::ranges::count(alike, true);
        if (count <= most) continue;
        most = count;
        best = std::move(alike);
    }
    return best;
}

/// Measures the step of pair m in rows first ... first + count - 1: of neighbours, then of rows
/// ever farther apart, which know it the better.
Measured step_in(const Turns& turns, std::int64_t m, std::int64_t first, std::int64_t count) {
    double step = 0, error = unknown;
    for (std::int64_t lag = 1; lag < count; lag = std::min(2 * lag, count - 1)) {
        Complex sum = 0;
        double weights = 0, errors = 0;
        for (std::int64_t i = first; i + lag < first + count; ++i) {
            const Turn &a = turns.at(i, m), &b = turns.at(i + lag, m);
            const double off = angle_error(turns, a) + angle_error(turns, b);
            if (off > 1) continue;
            const double weight = 1 / (off * off + 1e-30);
            sum += weight * complex_of(b) * std::conj(complex_of(a));
            weights += weight;
            errors += weight * off;
        }
        if (weights == 0) break;
        const auto apart = static_cast<double>(lag);
        const double now = errors / weights / apart;
        // Whole turns between the two rows are known from the step so far.
        if (lag > 1 && error * apart > std::numbers::pi / 2) break;
        if (now < error) {
            step += wrapped(std::arg(sum) - apart * step) / apart;
            error = now;
        }
        if (lag == count - 1) break;
    }
    return {wrapped(step), error};
}

Measured phase_in(const Turns& turns, const Measured& step, std::int64_t m, std::int64_t first,
                  std::int64_t count) {
    // Near the first row, so that the error of the step does not matter.
    const std::int64_t rows = std::min<std::int64_t>(count, 16);
    Complex sum = 0;
    double weights = 0, errors = 0;
    for (std::int64_t i = 0; i < rows; ++i) {
        const Turn& turn = turns.at(first + i, m);
        const double rounded = 0x1p-22 * static_cast<double>(rows) * std::fabs(step.value);
        const double off = angle_error(turns, turn) + static_cast<double>(i) * step.error + rounded;
        if (off > 1) continue;
        const double weight = 1 / (off * off + 1e-30);
        sum += weight * complex_of(turn) * std::polar(1.0, -static_cast<double>(i) * step.value);
        weights += weight;
        errors += weight * off;
    }
    return {std::arg(sum), weights > 0 ? errors / weights : unknown};
}

/// Returns how far the angles of a pair are from those of its step and phase.
double deviation(const Turns& turns, std::int64_t m, const EqualSteps& steps, double step,
                 double phase) {
    double largest = 0;
    for (std::int64_t i = 0; i < steps.count; ++i) {
        const Turn& turn = turns.at(steps.first + i, m);
        if (angle_error(turns, turn) > 0.1) continue;
        const double angle = phase + static_cast<double>(i) * step;
        largest = std::max(largest, std::fabs(wrapped(std::arg(complex_of(turn)) - angle)));
    }
    return largest;
}

}  // namespace

std::optional<EqualSteps> equal_steps(const Turns& turns) {
    std::vector<std::vector<Measured>> steps;
    for (std::int64_t row = 0; row + 1 < turns.positions; ++row) {
        steps.push_back(step_after(turns, row));
    }
    if (steps.empty()) return {};
    const std::vector<bool> is_usual = usual_steps(steps);
    const std::ptrdiff_t usual = std::ranges::count(is_usual, true);
    if (usual == 0 || (steps.size() > 2 && usual < 2)) return {};
    EqualSteps result{.first = 0, .count = 0, .step = {}, .phase = {}};
    for (std::size_t begin = 0; begin < is_usual.size(); ++begin) {
        std::size_t end = begin;
        while (end < is_usual.size() && is_usual[end]) ++end;
        const auto rows = static_cast<std::int64_t>(end - begin) + 1;
        if (end > begin && rows > result.count) {
            result.first = static_cast<std::int64_t>(begin);
            result.count = rows;
        }
        begin = end;
    }
    for (std::int64_t m = 0; m < turns.pairs; ++m) {
        Measured step = step_in(turns, m, result.first, result.count);
        Measured phase = phase_in(turns, step, m, result.first, result.count);
        // Code in float32 rounds angles, the more the farther the positions are from 0.
        const double off = deviation(turns, m, result, step.value, phase.value);
        step.error = std::max(step.error, off / static_cast<double>(result.count));
        phase.error = std::max(phase.error, off);
        result.step.push_back(step);
        result.phase.push_back(phase);
    }
    return result;
}

std::vector<Measured> phases_of(const Turns& turns, std::int64_t row) {
    std::vector<Measured> phases;
    for (std::int64_t m = 0; m < turns.pairs; ++m) {
        const Turn& turn = turns.at(row, m);
        phases.push_back({std::arg(complex_of(turn)), angle_error(turns, turn)});
    }
    return phases;
}

}  // namespace pegen::identify

#include "identify/kernel_positions.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "identify/kernel_steps.h"

namespace pegen::identify {
namespace {

using evidence::Measured;

/// Pairs that say something, those that say most first.
struct Pair {
    double phase;
    double error;
    double frequency;
};

std::vector<Pair> telling_pairs(std::span<const Measured> phases,
                                std::span<const double> frequencies) {
    std::vector<Pair> pairs;
    for (std::size_t m = 0; m < phases.size(); ++m) {
        if (!(phases[m].error < 0.25)) continue;
        pairs.push_back({phases[m].value, 3 * phases[m].error, frequencies[m]});
    }
    std::ranges::stable_sort(pairs, std::ranges::greater(),
                             [](const Pair& pair) { return pair.frequency / pair.error; });
    return pairs;
}

bool is_position(double position, const std::vector<Pair>& pairs) {
    constexpr double float32_angle = 0x1p-21;
    const std::size_t most_misses = pairs.size() / 16;
    std::size_t misses = 0;
    for (const Pair& pair : pairs) {
        const double angle = position * pair.frequency;
        const double off = std::fabs(wrapped(pair.phase - angle));
        if (off > pair.error + std::min(float32_angle * std::fabs(angle), 0.1) &&
            ++misses > most_misses) {
            return false;
        }
    }
    return !pairs.empty();
}

/// Returns the position, if the slowest pair has not turned once: faster ones make it more exact.
std::optional<double> between_whole_numbers(std::vector<Pair> pairs) {
    std::ranges::sort(pairs, {}, &Pair::frequency);
    std::erase_if(pairs, [](const Pair& pair) { return !(pair.frequency > 0); });
    if (pairs.empty()) return {};
    double position = 0, error = 1e18;
    for (const Pair& pair : pairs) {
        const double now = pair.error / pair.frequency;
        if (now >= error) continue;
        if (error * pair.frequency > 3 && error < 1e17) break;
        position += wrapped(pair.phase - position * pair.frequency) / pair.frequency;
        error = now;
    }
    constexpr double most_bits = 16;  // a number with many digits fits too much
    for (const evidence::SimpleNumber& number : evidence::simple_numbers({position, error}, 3)) {
        if (number.bits <= most_bits && is_position(number.value, pairs)) return number.value;
    }
    return {};
}

}  // namespace

std::optional<double> position_of(std::span<const Measured> phases,
                                  std::span<const double> frequencies, std::int64_t farthest) {
    const std::vector<Pair> pairs = telling_pairs(phases, frequencies);
    for (std::int64_t distance = 0; distance <= farthest; ++distance) {
        const auto position = static_cast<double>(distance);
        if (is_position(position, pairs)) return position;
        if (distance <= 1024 && is_position(-position, pairs)) return -position;
        // A fraction of a small number is simpler than a large one.
        if (distance == 4096) {
            if (const std::optional<double> number = between_whole_numbers(pairs)) return number;
        }
    }
    return {};
}

std::optional<std::vector<double>> positions_of_rows(const Turns& turns, bool is_inverse,
                                                     std::span<const double> frequencies,
                                                     double step) {
    std::vector<double> positions;
    const auto widest = static_cast<double>(std::max<std::int64_t>(4 * turns.positions, 4096));
    for (std::int64_t row = 0; row < turns.positions; ++row) {
        std::vector<Measured> phases = phases_of(turns, row);
        if (is_inverse) {
            for (Measured& phase : phases) phase.value = -phase.value;
        }
        const std::vector<Pair> pairs = telling_pairs(phases, frequencies);
        const double last = positions.empty() ? 0 : positions.back();
        std::optional<double> found;
        for (const double likely : {last + step, last, 0.0, 1.0}) {
            if (!found && is_position(likely, pairs)) found = likely;
        }
        for (double p = 1; !found && p <= widest; ++p) {
            for (const double sign : {1.0, -1.0}) {
                if (!found && is_position(sign * p, pairs)) found = sign * p;
            }
        }
        if (!found) return {};
        positions.push_back(*found);
    }
    return positions;
}

}  // namespace pegen::identify

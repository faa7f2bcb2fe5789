#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include "evidence/simple_number.h"
#include "identify/kernel_turns.h"

// By which angle a pair is turned further from one position to the next.
namespace pegen::identify {

/// Rows that follow each other by equal steps: the angle of pair m in row `first` + i is
/// phase[m] + i step[m], modulo 2 pi.
struct EqualSteps {
    std::int64_t first;
    std::int64_t count;
    std::vector<evidence::Measured> step;   ///< of each pair, from -pi to pi
    std::vector<evidence::Measured> phase;  ///< of each pair, from -pi to pi
};

/// Returns the angle from -pi to pi that differs from this one by whole turns.
inline double wrapped(double angle) {
    constexpr double turn = 2 * std::numbers::pi;
    return angle - turn * std::rint(angle / turn);
}

/// Returns the longest run of rows with the step that most rows have. None if there is only one
/// row, or no two steps are alike.
std::optional<EqualSteps> equal_steps(const Turns& turns);

/// Returns the angles of one row.
std::vector<evidence::Measured> phases_of(const Turns& turns, std::int64_t row);

}  // namespace pegen::identify

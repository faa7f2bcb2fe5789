#pragma once

#include <optional>
#include <vector>

#include "recognition/rotary/turning_table.h"

namespace pegen::recognition {

/// Returns the angle by which each pair advances from row to row, for a table with only cosines or
/// only sines; none if a column is not a wave with equal steps, or has too few rows.
std::optional<std::vector<evidence::Measured>> lone_advances(const TurningTable& table);

/// Returns the amplitude of the wave in a column; none if the column holds no wave.
std::optional<evidence::Measured> amplitude_in(const evidence::Sample& array, std::int64_t column);

}  // namespace pegen::recognition

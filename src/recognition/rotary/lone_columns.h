#pragma once

#include <optional>
#include <vector>

#include "recognition/rotary/turning_table.h"

namespace pegen::recognition {

/// Returns by what angle each pair advances from row to row, where the table has only cosines or
/// only sines; none if rows are not at equal distances, or too few.
std::optional<std::vector<evidence::Measured>> lone_advances(const TurningTable& table);

/// Returns the amplitude of the wave in a column; none if it has none.
std::optional<evidence::Measured> amplitude_in(const evidence::Sample& array, std::int64_t column);

}  // namespace pegen::recognition

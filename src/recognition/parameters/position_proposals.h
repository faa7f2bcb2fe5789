#pragma once

#include <cstdint>
#include <vector>

#include "recognition/evidence/wave_table.h"
#include "recognition/parameters/priced_settings.h"

// Conversion of measured positions into settings.
namespace pegen::recognition {

/// The numbers that a list of positions, other than a progression, may hold.
enum class ListOf { any_numbers, whole_numbers };

/// Returns settings for the positions of `rows` rows, the six cheapest. The positions
/// are measured in radians of the fastest pair; settings are --start, --step and --reverse, or
/// --positions, and --freq-scale, which the array shows only as a factor of the positions. The
/// settings include --len, unless they include --positions.
std::vector<PricedSettings> position_proposals(const evidence::WaveTable& table, std::int64_t rows,
                                               ListOf allowed = ListOf::any_numbers);

}  // namespace pegen::recognition

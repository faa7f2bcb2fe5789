#pragma once

#include <cstdint>
#include <vector>

#include "recognition/evidence/wave_table.h"
#include "recognition/parameters/priced_settings.h"

// Conversion of measured positions into settings.
namespace pegen::recognition {

/// Returns settings for the positions of `rows` rows, cheapest first, `most` at most. The positions
/// are measured in radians of the fastest pair; settings are --start, --step and --reverse, or
/// --positions, and --freq-scale, which the array shows only as a factor of the positions. The
/// settings include --len, unless they include --positions.
std::vector<PricedSettings> position_proposals(const evidence::WaveTable& table, std::int64_t rows,
                                               std::size_t most = 6);

}  // namespace pegen::recognition

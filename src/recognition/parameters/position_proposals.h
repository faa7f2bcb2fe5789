#pragma once

#include <cstdint>
#include <vector>

#include "recognition/evidence/wave_table.h"
#include "recognition/parameters/priced_settings.h"

// How positions that were measured may be typed.
namespace pegen::recognition {

/// Returns ways to type the positions of `rows` rows, measured in radians of the fastest pair, with
/// --start, --step and --reverse, or --positions, and --freq-scale: it is seen only as a factor of
/// them. Cheapest first, `most` at most. The settings include --len, unless they have --positions.
std::vector<PricedSettings> position_proposals(const evidence::WaveTable& table, std::int64_t rows,
                                               std::size_t most = 6);

}  // namespace pegen::recognition

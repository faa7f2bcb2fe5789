#pragma once

#include <cstdint>
#include <vector>

#include "evidence/proposal.h"
#include "evidence/wave_table.h"

// How positions that were measured may be typed.
namespace pegen::encodings {

/// Settings with what they cost to name, in bits.
struct PricedSettings {
    std::vector<evidence::Setting> settings{};
    double bits = 0;
};

/// Returns ways to type the positions of `rows` rows, measured in radians of the fastest pair, with
/// --start, --step and --reverse, or --positions, and --freq-scale: it is seen only as a factor of
/// them. Cheapest first, `most` at most. The settings include --len, unless they have --positions.
std::vector<PricedSettings> position_proposals(const evidence::WaveTable& table, std::int64_t rows,
                                               std::size_t most = 6);

}  // namespace pegen::encodings

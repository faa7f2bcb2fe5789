#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recognition/evidence/sample.h"
#include "recognition/evidence/wave_table.h"

// Recognition of the waves that distance_waves makes.
namespace pegen::recognition {

/// Waves of distances in one of the two layouts.
struct DistanceWaves {
    bool has_halves;
    std::string base;
    evidence::WaveTable table;
    std::vector<std::int64_t> pair_of_channel;
};

/// Returns the waves that an array (distances, channels) may hold, each with a few possible bases.
std::vector<DistanceWaves> distance_waves_in(const Sample& array);

}  // namespace pegen::recognition

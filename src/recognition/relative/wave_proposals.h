#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recognition/evidence/sample.h"
#include "recognition/evidence/wave_table.h"

// What distance_waves makes, found in an array.
namespace pegen::recognition {

/// Waves of distances, in one of the layouts.
struct DistanceWaves {
    bool has_halves;
    std::string base;
    evidence::WaveTable table;
    std::vector<std::int64_t> pair_of_channel;
};

/// Returns the waves that an array of distances and channels may be, for some bases each.
std::vector<DistanceWaves> distance_waves_in(const evidence::Sample& array);

}  // namespace pegen::recognition

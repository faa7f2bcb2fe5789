#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "evidence/sample.h"
#include "evidence/wave_table.h"

namespace pegen::encodings {

/// Returns the waves of an array whose rows stand at whole distances that are 1 apart, rising or
/// falling, and whose first pair has the frequency 1: in 16 bits, that says more than the angles
/// alone do. None if there are none.
std::optional<evidence::WaveTable> whole_distance_waves(
    const evidence::Sample& array, std::span<const evidence::WaveColumns> columns);

}  // namespace pegen::encodings

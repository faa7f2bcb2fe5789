#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "evidence/sample.h"
#include "evidence/wave_table.h"

// Channels of sines and cosines that have no partner on a circle.
namespace pegen::encodings {

/// The functions of channels 0, 1, 2 ...
enum class LoneFunctions { sin_cos, cos_sin, sines, cosines };

/// Rows that follow each other.
struct LoneRows {
    std::int64_t first;
    std::int64_t count;
    std::optional<std::int64_t> zeros{};  ///< one of them that holds zeros, counted from the first
};

/// Returns what an array may be whose first `count` channels each have a frequency of their own,
/// the fastest first. None if there are fewer than 6 rows, or if they are not at equal distances.
std::vector<evidence::WaveTable> lone_channel_tables(const evidence::Sample& array,
                                                     const LoneRows& rows, std::int64_t count,
                                                     LoneFunctions functions);

}  // namespace pegen::encodings

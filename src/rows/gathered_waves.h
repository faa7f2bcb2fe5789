#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/dtype.h"
#include "core/positions.h"
#include "numerics/float32_angles.h"
#include "numerics/frequencies.h"

namespace pegen::rows {

/// The sines and cosines of a few positions, from which the rows of images are gathered: channel 2k
/// holds sin(position * frequency[k]), channel 2k + 1 holds cos(position * frequency[k]).
struct GatheredWaves {
    DType dtype;
    std::int64_t positions;
    std::vector<std::byte> values;  ///< [channel][position]
};

/// Computes the waves and keeps them: positions.size() * 2 * frequencies.size() values. Correctly
/// rounded.
GatheredWaves gathered_waves(const Positions& positions, const numerics::Frequencies& frequencies,
                             DType dtype);

/// Computes the waves of angles in float32, one row of angles for each of `positions` positions;
/// every step is rounded.
GatheredWaves gathered_waves(std::int64_t positions, numerics::Float32Angles angles, DType dtype);

/// Sets out[i] = values[channel][numbers[i]], as elements of the waves' dtype.
void gather(const GatheredWaves& waves, std::int64_t channel,
            std::span<const std::uint32_t> numbers, std::span<std::byte> out);

}  // namespace pegen::rows

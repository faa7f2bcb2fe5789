#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "encodings/points/fourier_channels.h"
#include "evidence/sample.h"
#include "evidence/simple_number.h"

namespace pegen::encodings {

/// The angles of an axis, modulo 2 pi: one list of rows for each frequency.
using FourierAngles = std::vector<std::vector<evidence::Measured>>;

/// Returns the angles of the axis that is `rank`-th at these rows; none if a sine and a cosine are
/// not on the unit circle.
std::optional<FourierAngles> fourier_angles(const evidence::Sample& sample,
                                            const FourierChannels& channels, std::int64_t rank,
                                            const std::vector<std::int64_t>& rows);

/// Float32 code has angles that are off by this share.
double share_of(const evidence::Sample& sample);

/// True if the angles of a frequency are all 0.
bool is_still(const std::vector<evidence::Measured>& angles);

enum class BandForm { pow2, linear, geometric };

/// True if the angles may be of such frequencies, whatever the points are. Says nothing of
/// geometric ones. Needs three frequencies, or two that double.
bool is_possible(BandForm form, const FourierAngles& angles);

}  // namespace pegen::encodings

#pragma once

#include <cstdint>
#include <optional>
#include <string>
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

enum class BandForm { pow2, linear, geometric };

/// What the angles of an axis show: angle[k][row] = places[row] * frequencies[k].
struct FourierBands {
    BandForm form;
    /// Relative to the first, or to the second if the first is 0.
    std::vector<double> frequencies;
    std::vector<evidence::Measured> places;  ///< angles, unwrapped
    /// Of linear, the last frequency; of geometric, the base.
    evidence::SimpleNumber number;
};

/// True if the angles may be of such frequencies, whatever the points are. Says nothing of
/// geometric ones. Needs three frequencies, or two that double.
bool is_possible(BandForm form, const FourierAngles& angles);

/// What else is known of the rows.
struct FourierRows {
    bool are_in_line;         ///< they are at equal distances, in order
    std::vector<double> raw;  ///< their coordinates; empty if the array has none
};

/// Returns the frequencies and the places of this form; none if there are no such.
std::optional<FourierBands> fourier_bands(BandForm form, const FourierAngles& angles,
                                          const evidence::Sample& sample, const FourierRows& rows);

}  // namespace pegen::encodings

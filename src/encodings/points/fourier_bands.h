#pragma once

#include <optional>
#include <vector>

#include "encodings/points/fourier_angles.h"
#include "evidence/sample.h"
#include "evidence/simple_number.h"

namespace pegen::encodings {

/// What the angles of an axis show: angle[k][row] = places[row] * frequencies[k].
struct FourierBands {
    BandForm form;
    /// Relative to the first, or to the second if the first is 0.
    std::vector<double> frequencies;
    std::vector<evidence::Measured> places;  ///< angles, unwrapped
    /// Of linear, the last frequency; of geometric, the base.
    evidence::SimpleNumber number;
};

/// True if the places and frequencies give all angles but a few.
bool explains(const FourierBands& bands, const FourierAngles& angles,
              const evidence::Sample& sample);

/// What else is known of the rows.
struct FourierRows {
    bool are_in_line;         ///< they are at equal distances, in order
    std::vector<double> raw;  ///< their coordinates; empty if the array has none
};

/// Returns the frequencies and the places of this form; none if there are no such.
std::optional<FourierBands> fourier_bands(BandForm form, const FourierAngles& angles,
                                          const evidence::Sample& sample, const FourierRows& rows);

}  // namespace pegen::encodings

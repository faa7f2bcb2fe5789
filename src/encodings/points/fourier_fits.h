#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "encodings/points/fourier_bands.h"
#include "encodings/points/fourier_scales.h"
#include "evidence/turning.h"

// Frequencies of points at known coordinates, equally spaced.
namespace pegen::encodings {

/// What the columns of an axis show along it.
struct FourierLine {
    std::int64_t extent;
    FourierAngles angles;
    std::vector<evidence::Turning> turnings;  ///< by frequency
    std::optional<FourierBands> geometric;    ///< what they show of geometric frequencies
};

/// Returns the line, for frequencies of this form; none if the angles of a frequency are not those
/// of points at equal distances.
std::optional<FourierLine> fourier_line(BandForm form, FourierAngles angles, std::int64_t extent,
                                        const evidence::Sample& sample);

/// angle[k][point] = scale.product() * frequencies[k] * coordinates[point], for each axis.
struct FourierFit {
    AllBands bands;
    Scale scale;
    double bits;  ///< about what the numbers cost
};

/// Returns what makes the angles of all lines of their coordinates, one list for each line. Angles
/// are known modulo whole turns only, so there may be several. Frequencies that all axes may have
/// are preferred to those of their own.
std::vector<FourierFit> fourier_fits(BandForm form, const std::vector<FourierLine>& lines,
                                     const std::vector<std::vector<double>>& coordinates,
                                     const evidence::Sample& sample);

}  // namespace pegen::encodings

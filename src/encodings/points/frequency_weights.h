#pragma once

#include <optional>
#include <vector>

#include "core/parameters.h"
#include "encodings/points/points_file.h"
#include "numerics/weighted_waves.h"

// Weights of the frequencies of Fourier features.
namespace pegen::encodings {

inline constexpr ParameterSpec window_parameter{
    .name = "window",
    .aliases = "alpha",
    .range = {.lowest = 0},
    .summary =
        "the first X frequencies count, a fraction of the next: the window of Nerfies and "
        "BARF",
    .is_rare = true};

inline constexpr ParameterSpec variances_parameter{
    .name = "variances",
    .type = ParameterType::path,
    .summary = "NPY file like --points: the variance of each coordinate, for integrated features",
    .is_rare = true};

/// What --window and --variances say.
struct FrequencyWeights {
    std::optional<double> window;
    std::optional<PointsFile> variances;  ///< of the shape of the points

    bool are_any() const { return window || variances; }
};

/// Reads the parameters; `points` is the file of --points. Throws: UsageError if variances are
/// given without points; FileError and FormatError for the file, also if its shape is not that of
/// the points.
FrequencyWeights frequency_weights_of(const Parameters& parameters, const PointsFile* points);

/// The variances of each axis, a list for each; none without a file. Throws: FileError,
/// FormatError; FormatError if one is negative.
std::vector<std::vector<double>> read_variances(const FrequencyWeights& weights);

/// Returns the weights of the frequencies along an axis with these variances, or none.
numerics::WaveWeights wave_weights(const FrequencyWeights& weights,
                                   const numerics::Frequencies& frequencies,
                                   std::vector<double> variances);

}  // namespace pegen::encodings

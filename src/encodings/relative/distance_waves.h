#pragma once

#include <optional>

#include "core/parameters.h"
#include "core/positions.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"

// Sines and cosines of the distances between queries and keys.
namespace pegen::encodings {

inline constexpr ParameterSpec wave_layout_parameter{
    .name = "layout",
    .type = ParameterType::word,
    .default_value = "halves",
    .choices = "halves interleaved",
    .summary = "all sines then all cosines, or sin cos sin cos ..."};

inline constexpr ParameterSpec wave_arith_parameter = rare_arith_parameter(
    "the exact formula, or float32 arithmetic: distance * (1 / base^(2i / d))");

/// The limits to which distances are clamped.
struct DistanceLimits {
    double lowest;
    double highest;
};

/// Plans a table (distances, d), axes (distance, channel), by --d, --base, --layout and --arith,
/// with the frequencies base^(-2i / d). Each row encodes a distance, clamped to `limits`. Throws:
/// UsageError if d is odd, or if there are limits and more than 2^28 rows.
Plan plan_distance_waves(Parameters parameters, const Positions& distances,
                         std::optional<DistanceLimits> limits = std::nullopt);

}  // namespace pegen::encodings

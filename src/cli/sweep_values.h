#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "cli/manifest_part.h"

namespace pegen::cli {

/// The most jobs a manifest can have.
inline constexpr std::size_t most_jobs = 1'000'000;

/// The values that an option takes in a sweep, none of which has been made yet.
struct SweepValues {
    std::size_t count;  ///< from 1 to most_jobs
    std::function<TypedValue(std::size_t index)> at;
};

/// Reads the values of an option in a sweep: a list of them, or a range:
///   {"from": 0, "to": 1, "step": 0.1}    from + i step up to `to`, which is included; steps of 1
///                                        unless "step" is given
///   {"linspace": [0, 1, 11]}             as in NumPy: the first, the last and how many
///   {"logspace": [0, 4, 5]}              as in NumPy: 10 to the power of those
///   {"geomspace": [16, 4096, 9]}         as in NumPy: each the same multiple of the one before
/// Numbers are the decimals that the manifest shows, and each value is rounded once.
/// Throws: FormatError with the place.
SweepValues sweep_values(const Part& part);

/// "linspace", "logspace", "geomspace"
std::vector<std::string_view> spacing_names();

}  // namespace pegen::cli

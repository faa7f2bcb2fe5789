#pragma once

#include <cstdint>
#include <vector>

#include "evidence/proposal.h"

// The frequencies of rope settings as doubles, and the settings of published models.
namespace pegen::encodings {

/// What settings of rope make.
struct Turning {
    std::vector<evidence::Setting> settings;
    std::vector<double> frequencies;  ///< nearest doubles
    double attention_factor = 1;
};

/// Returns what base, scaling and its parameters make of `pairs` pairs. `positions` is the length
/// of the sequence. Empty frequencies if rope refuses them.
Turning turning_of(std::vector<evidence::Setting> settings, std::int64_t pairs,
                   std::int64_t positions);

/// Returns the bases and scalings of published models with `pairs` pairs, the most usual first. All
/// have --d.
std::vector<Turning> usual_turnings(std::int64_t pairs);

}  // namespace pegen::encodings

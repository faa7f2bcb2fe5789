#pragma once

#include <cstdint>
#include <vector>

#include "recognition/evidence/simple_number.h"

namespace pegen::evidence {

/// The spacing of frequencies as code defines it: ratio of neighbours = base^(step / (width -
/// shift)).
struct Spacing {
    SimpleNumber base;
    SimpleNumber shift;
    double bits;  ///< price of both numbers
};

/// Returns the base exp(4), to which 10000 turns where its logarithm to base 10 is taken for the
/// natural one.
SimpleNumber base_of_log10();

/// Returns the spacings that have the ratio whose natural logarithm is given: simple bases for the
/// usual shifts, and 10000 for other whole shifts; cheapest first, at most `most`.
std::vector<Spacing> spacings(const Measured& log_ratio, double step, double width,
                              std::size_t most = 8);

}  // namespace pegen::evidence

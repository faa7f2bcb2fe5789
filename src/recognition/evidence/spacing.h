#pragma once

#include <cstdint>
#include <vector>

#include "recognition/evidence/simple_number.h"

namespace pegen::evidence {

/// How code says the spacing of frequencies: ratio of neighbours = base^(step / (width - shift)).
struct Spacing {
    SimpleNumber base;
    SimpleNumber shift;
    double bits;  ///< of both
};

/// Returns the spacings that have this ratio, given by its natural logarithm: simple bases for the
/// usual shifts, and 10000 for other whole shifts; cheapest first, `most` at most.
std::vector<Spacing> spacings(const Measured& log_ratio, double step, double width,
                              std::size_t most = 8);

}  // namespace pegen::evidence

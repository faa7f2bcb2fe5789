#pragma once

#include <cstdint>
#include <vector>

#include "core/dtype.h"
#include "core/progress.h"
#include "inspect/properties/position_vectors.h"

namespace pegen {

/// A value and where it is; `position` is -1 if there is none.
struct PlacedValue {
    double value = 0;
    std::int64_t position = -1;
    std::int64_t channel = -1;
};

/// What one look at every value of a table finds.
struct Survey {
    PlacedValue largest{};             ///< |value|, the first such; of the finite ones
    double largest_of_first_half = 0;  ///< of the positions of each group
    PlacedValue not_finite{};          ///< the first one
    std::int64_t not_finite_count = 0;
    std::vector<double> largest_of_channel;  ///< |value|
    std::vector<bool> is_constant;           ///< of each channel
    std::int64_t zero_vectors = 0;
};

/// Reads every value once, in parallel, in constant memory.
Survey survey_of(const PositionVectors& vectors, const Progress& progress);

/// Returns the largest error of a value of at most `magnitude` that was rounded to `dtype`: half of
/// the distance to the next smaller float. 0 for integers.
double half_ulp(double magnitude, DType dtype);

}  // namespace pegen

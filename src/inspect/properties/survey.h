#pragma once

#include <cstdint>
#include <vector>

#include "core/dtype.h"
#include "core/progress.h"
#include "inspect/properties/position_vectors.h"

namespace pegen {

/// A value and its place; `position` is -1 if there is no value.
struct PlacedValue {
    double value = 0;
    std::int64_t position = -1;
    std::int64_t channel = -1;
};

/// The results of reading every value of a table once.
struct Survey {
    PlacedValue largest{};             ///< the first of the largest |value|, of finite values
    double largest_of_first_half = 0;  ///< largest |value| in each group's first half
    PlacedValue not_finite{};          ///< the first value that is not finite
    std::int64_t not_finite_count = 0;
    std::vector<double> largest_of_channel;  ///< the largest |value|
    std::vector<bool> is_constant;           ///< for each channel
    std::int64_t zero_vectors = 0;
};

/// Reads every value once, in parallel, in constant memory.
Survey survey_of(const PositionVectors& vectors, const Progress& progress);

/// Returns the largest error of a value of at most `magnitude` that was rounded to `dtype`: half of
/// the distance to the next smaller float. Returns 0 for integers.
double half_ulp(double magnitude, DType dtype);

}  // namespace pegen

#pragma once

#include <cstddef>
#include <vector>

#include "numerics/double_double.h"

namespace pegen::numerics {

/// The arrays of Rotations, by address: what a loop must hold in its hands to be vectorised.
struct RotationArrays {
    const double *sin_high, *sin_low, *cos_high, *cos_low;

    DoubleDouble sin(std::size_t k) const { return {sin_high[k], sin_low[k]}; }
    DoubleDouble cos(std::size_t k) const { return {cos_high[k], cos_low[k]}; }
};

/// sin and cos of one angle for each frequency, as double-doubles in arrays of their parts: the
/// kernels read the high parts alone. To add angles is to multiply rotations:
///     sin(a + b) = sin a cos b + cos a sin b,  cos(a + b) = cos a cos b - sin a sin b.
struct Rotations {
    std::vector<double> sin_high, sin_low, cos_high, cos_low;

    /// Rotations by 0.
    explicit Rotations(std::size_t size)
        : sin_high(size, 0.0), sin_low(size, 0.0), cos_high(size, 1.0), cos_low(size, 0.0) {}

    std::size_t size() const { return sin_high.size(); }
    RotationArrays arrays() const {
        return {sin_high.data(), sin_low.data(), cos_high.data(), cos_low.data()};
    }
};

/// Rotations by the sums of the angles. Adds an error of at most 2^-102 to each sin and cos.
Rotations product(const Rotations& a, const Rotations& b);

}  // namespace pegen::numerics

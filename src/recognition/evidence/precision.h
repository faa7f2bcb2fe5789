#pragma once

#include <span>

#include "core/dtype.h"

namespace pegen::evidence {

/// A floating-point format and the dtype that has it.
struct Precision {
    DType dtype;         ///< float64, float32, float16 or bfloat16
    int digits;          ///< of the significand, in bits: 53, 24, 11 or 8
    int least_exponent;  ///< of the last bit of the smallest number: -1074, -149, -24 or -133
};

/// Returns the format of a floating-point dtype; the format of float64 for any other dtype.
Precision precision_of(DType dtype);

/// Returns the narrowest format, at most float64, that holds every finite value of an array of
/// `dtype`: arrays of float32 often hold the numbers of float16 or bfloat16. Returns the format of
/// `dtype` itself if too few values tell, as with zeros and small whole numbers.
Precision narrowest(std::span<const double> values, DType dtype);

/// Returns one unit in the last place of `value`; 2^-1022 for smaller ones.
double unit_of(double value, const Precision& precision);

/// Returns the largest magnitude of the finite values, 0 if there is none.
double largest_magnitude(std::span<const double> values);

}  // namespace pegen::evidence

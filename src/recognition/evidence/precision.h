#pragma once

#include <optional>
#include <span>
#include <string>

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

/// The rounding of values that come from a printed table.
struct Decimals {
    int digits;
    bool are_significant;  ///< as in 8.4147e-01; otherwise digits after the point
};

/// Returns how the values of an array of `dtype` were rounded, if all finite values are decimal
/// numbers of few digits, and use these digits: 3 to 6 after the point, or 4 to 6 significant ones.
std::optional<Decimals> decimals_of(std::span<const double> values, DType dtype);

/// Returns the format whose unit in the last place, for values up to `largest`, is about as large
/// as one unit of the last decimal digit.
Precision precision_of(const Decimals& decimals, double largest, DType dtype);

/// Returns "4 decimals" or "5 significant digits".
std::string to_string(const Decimals& decimals);

}  // namespace pegen::evidence

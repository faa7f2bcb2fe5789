#pragma once

#include <optional>
#include <span>
#include <string>

#include "recognition/evidence/precision.h"

namespace pegen::evidence {

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

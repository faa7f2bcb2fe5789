#pragma once

#include <optional>
#include <span>
#include <string>

#include "recognition/evidence/precision.h"

namespace pegen::evidence {

/// How values were rounded that come from a printed table.
struct Decimals {
    int digits;
    bool are_significant;  ///< as in 8.4147e-01; otherwise digits after the point
};

/// Returns how the values were rounded, if all finite ones of an array of `dtype` are decimal
/// numbers of few digits, and use them: 3 to 6 after the point, or 4 to 6 significant ones.
std::optional<Decimals> decimals_of(std::span<const double> values, DType dtype);

/// Returns the format whose units are about as large as those of the last decimal digit, of values
/// up to `largest`.
Precision precision_of(const Decimals& decimals, double largest, DType dtype);

/// "4 decimals", "5 significant digits"
std::string to_string(const Decimals& decimals);

}  // namespace pegen::evidence

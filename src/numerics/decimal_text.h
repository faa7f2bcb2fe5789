#pragma once

#include <string>

#include "numerics/real.h"

// Exact numbers as decimals.
namespace pegen::numerics {

/// Returns the decimal of `digits` significant digits that is nearest to the value, written as in
/// "0.70710678", "-123.45" and, where the first digit is far from the point, "6.1e-05" and
/// "1.5e+40"; "0", "inf", "-inf" or "nan". Precondition: digits > 1.
std::string decimal_text(const Real& value, int digits);

/// Returns the text of decimal_text() without zeros at the end: "0.5" and "1e+40" instead of
/// "0.50000" and "1.0000e+40".
std::string short_decimal_text(const Real& value, int digits);

/// True if the value equals its decimal of `digits` significant digits, or is the number of its
/// precision that is nearest to that decimal.
bool is_decimal(const Real& value, int digits);

}  // namespace pegen::numerics

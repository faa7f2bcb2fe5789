#pragma once

#include <string>

namespace pegen {

/// A decimal number in scientific form: d.ddd x 10^exponent.
struct Decimal {
    bool is_negative;
    std::string digits;  ///< at least one; the first is 0 only for zero
    int exponent;
};

/// Returns the shortest decimal that reads back as the same number.
Decimal shortest_decimal(float number);
Decimal shortest_decimal(double number);

/// Returns the exact value of `number`, correctly rounded (ties to even) to `places` digits after
/// the first one.
Decimal rounded_decimal(double number, int places);

/// Writes the exact value of `number`, correctly rounded (ties to even) to `places` digits after
/// the point, without the zeros at its end but with the point: "0.5", "3."
std::string fixed_text(double number, int places);

/// Writes all digits, with a point: "0.05", "1200."
std::string fixed_text(const Decimal& decimal);

/// Writes the decimal with a point and an exponent of at least `exponent_digits` digits: "1.2e+03",
/// "5.e-324"
std::string scientific_text(const Decimal& decimal, int exponent_digits);

}  // namespace pegen

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pegen {

/// Reads a decimal integer: an optional minus sign and digits, without leading zeros. `what` names
/// the value in messages: "--len".
/// Throws: UsageError with the reason: octal- or hexadecimal-looking text, exponents, trailing
/// characters, out of range.
std::int64_t parse_integer(std::string_view text, std::string_view what);

/// Reads a finite decimal number, or an expression of such numbers (core/expression.h): "10000",
/// "1e4", "-.5", "2*pi/12".
/// Throws: UsageError with the reason: hexadecimal, trailing characters, NaN, infinity, overflow,
/// underflow to 0.
double parse_real(std::string_view text, std::string_view what);

/// Returns the shortest decimal that reads back as the same double: "10000", "0.1", "1e+100".
std::string shortest(double value);

/// Returns the same, but whole numbers below 10^12 without an exponent, as people type them:
/// "500000" rather than "5e+05".
std::string plain(double value);

}  // namespace pegen

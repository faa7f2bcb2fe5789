#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pegen {

/// A decimal integer: an optional minus sign and digits, without leading zeros.
/// Throws: UsageError with the reason: octal- and hexadecimal-looking text, exponents, trailing
/// characters, out of range. `what` names the thing in the message, such as "--len".
std::int64_t parse_integer(std::string_view text, std::string_view what);

/// A finite decimal number: "10000", "1e4", "-.5".
/// Throws: UsageError with the reason: hexadecimal, trailing characters, NaN, infinity, overflow.
double parse_real(std::string_view text, std::string_view what);

/// The shortest decimal that reads back as the same double: "10000", "0.1", "1e+100".
std::string shortest(double value);

}  // namespace pegen

#pragma once

#include <string_view>
#include <vector>

#include "numerics/frequencies.h"

namespace pegen::encodings {

/// Splits --freqs at the slashes that are in no parentheses and do not divide a number of a form:
/// geometric:1/40000:8. Returns a part for all axes, or one for each.
std::vector<std::string_view> frequencies_of_axes(std::string_view text);

/// Reads a part of --freqs: pow2:K, pow2:LO:HI, linear:LO:HI:K, logspace:LO:HI:K, geometric:BASE:K
/// or a,b,c, of which a quotient in parentheses is exact. At most 2^16 frequencies. The formulas
/// stand in fourier.cpp. A whole number alone may be meant as a count, and is refused.
/// Throws: UsageError with the forms there are, or the rule a number breaks.
numerics::Frequencies parse_frequency_bands(std::string_view text);

/// Returns each frequency times the factor.
numerics::Frequencies scaled(const numerics::Frequencies& frequencies, double factor);

}  // namespace pegen::encodings

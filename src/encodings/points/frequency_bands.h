#pragma once

#include <string_view>

#include "numerics/frequencies.h"

namespace pegen::encodings {

/// Reads --freqs: pow2:K, pow2:LO:HI, linear:LO:HI:K, geometric:BASE:K or a,b,c. At most 2^16.
/// The formulas stand in fourier.cpp. Throws: UsageError with the forms there are, or the rule a
/// number breaks.
numerics::Frequencies parse_frequency_bands(std::string_view text);

/// Returns each frequency times over / under.
numerics::Frequencies scaled(const numerics::Frequencies& frequencies, numerics::Ratio factor);

}  // namespace pegen::encodings

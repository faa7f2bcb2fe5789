#pragma once

#include <string_view>

#include "numerics/frequencies.h"

namespace pegen::encodings {

/// What --freqs says: pow2:K, pow2:LO:HI, linear:LO:HI:K, geometric:BASE:K or a,b,c. At most 2^16.
/// The formulas: fourier.h. Throws: UsageError with the forms there are, or the rule a number
/// breaks.
numerics::Frequencies parse_frequency_bands(std::string_view text);

/// Each frequency times over / under.
numerics::Frequencies scaled(const numerics::Frequencies& frequencies, numerics::Ratio factor);

}  // namespace pegen::encodings

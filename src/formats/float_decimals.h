#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace pegen {

/// The most numbers that are converted at once.
inline constexpr std::size_t most_at_once = 64;

/// The exponent that find_decimals() reports for an infinity or a NaN.
inline constexpr int not_finite = std::numeric_limits<int>::max();

/// Finds for each of `count` numbers, without its sign, the shortest decimal that reads back as the
/// same number, and the nearest to the number among equally short ones. Writes its digits followed
/// by zeros, nine together, and the exponent of the first digit. 0.25 has the digits 250000000 and
/// the exponent -1; 0 has only zeros and the exponent 0.
///
/// Source: R. Giulietti, "The Schubfach way to render doubles", 2021, applied to binary32. The code
/// has no branches, so that eight numbers are converted together.
void find_decimals(const float* numbers, std::size_t count, std::uint32_t* nine_digits,
                   int* exponents);

}  // namespace pegen

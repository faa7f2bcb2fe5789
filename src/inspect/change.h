#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace pegen {

/// Values of a table, and of an array that may have been made of them, in the same whole rows.
struct ValuesBeside {
    std::span<const double> made;   ///< [row][channel], of the table
    std::span<const double> given;  ///< [row][channel], of the array
    std::int64_t columns;           ///< number of channels
};

/// Returns the change of all values at once that makes the array of the table, as a clause: "all
/// values are multiplied by 0.5, then 0.5 is added". Known are a factor and a summand; numbers in
/// the place of minus infinity; dropout; rows that are standardized, centred or divided by their
/// norm; channels without their mean; levels of pictures and of quantized weights. A change is
/// named only if it makes all values, up to 1e-4 of their spread, or up to one level. Returns "" if
/// none does, or if the values are equal.
std::string change_of(const ValuesBeside& values);

/// Returns "noise of deviation 0.01 is added" if the differences look like independent random
/// numbers that are smaller than a third of the table's spread; "" otherwise: if they depend on the
/// value, the row or the channel, or on each other.
std::string noise_of(const ValuesBeside& values);

/// Returns the change of all values or, if none is found, the noise.
std::string change_or_noise_of(const ValuesBeside& values);

}  // namespace pegen

#pragma once

#include <bit>
#include <cstdint>

#include "core/element.h"

// Rounding to 16 bits by way of a float: quicker than round_to() in a vectorised loop, and right
// but where rounding twice may not be, of which it tells.
namespace pegen {

/// A rounded value; `doubt` is not 0 if it may be another than round_to() gives.
template <class T>
struct RoundedValue {
    T value;
    std::uint32_t doubt;
};

template <class T>
RoundedValue<T> rounded_surely(double value) {
    return {round_to<T>(value), 0};
}

/// Rounds to float and then to T, float16 or bfloat16. A value is in doubt if the float is halfway
/// between two numbers of T, or not between the smallest normal number of T and the largest number.
template <class T>
RoundedValue<T> rounded_quickly(double value);

/// The same for a type that keeps the upper bits of a float but the last `dropped`, with an
/// exponent of `bias`.
template <class T, int dropped, unsigned bias>
RoundedValue<T> upper_bits(double value) {
    constexpr std::uint32_t half = 1U << (dropped - 1);
    constexpr std::uint32_t smallest = (128U - bias) << 23, infinity = (128U + bias) << 23;
    const auto all = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    const std::uint32_t magnitude = all & 0x7fffffffU;
    // Just under half of the last bit that stays, and that bit: this rounds ties to even.
    const std::uint32_t rounded =
        (magnitude - ((127U - bias) << 23) + (half - 1) + (magnitude >> dropped & 1U)) >> dropped;
    const std::uint32_t is_tie = (magnitude & (2 * half - 1)) == half ? 1 : 0;
    const std::uint32_t is_outside = magnitude - smallest < infinity - half - smallest ? 0 : 1;
    return {T{static_cast<std::uint16_t>(rounded | (all >> 16 & 0x8000U))}, is_tie | is_outside};
}

template <>
inline RoundedValue<float16> rounded_quickly<float16>(double value) {
    return upper_bits<float16, 13, 15>(value);
}
template <>
inline RoundedValue<bfloat16> rounded_quickly<bfloat16>(double value) {
    return upper_bits<bfloat16, 16, 127>(value);
}

}  // namespace pegen

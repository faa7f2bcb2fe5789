#pragma once

#include <bit>
#include <cstdint>

#include "core/dtype.h"

// Rounding to 16 bits by way of a float, which is faster than round_to() in a vectorised loop.
// Results that rounding twice may have made wrong are marked as doubtful.
namespace pegen {

/// A rounded value; `doubt` is not 0 if the value may differ from the result of round_to().
template <class T>
struct RoundedValue {
    T value;
    std::uint32_t doubt;
};

template <class T>
RoundedValue<T> rounded_surely(double value) {
    return {round_to<T>(value), 0};
}

/// A type with the fraction bits of a float except the last `dropped`, and the exponent bias
/// `bias`.
struct UpperBits {
    int dropped;
    unsigned bias;

    /// Returns half of the last bit that stays, as a bit of the float.
    constexpr std::uint32_t half() const { return 1U << (dropped - 1); }
    // Return the bits, as a float, of the smallest normal number, and of the smallest one that
    // overflows.
    constexpr std::uint32_t smallest() const { return (128U - bias) << 23; }
    constexpr std::uint32_t overflow() const { return ((128U + bias) << 23) - half(); }
};

template <class T>
inline constexpr UpperBits upper_bits = {};
template <>
inline constexpr UpperBits upper_bits<float16> = {13, 15};
template <>
inline constexpr UpperBits upper_bits<bfloat16> = {16, 127};

/// Rounds to float and then to T, float16 or bfloat16. A value is in doubt if the float is halfway
/// between two numbers of T, beyond the largest number of T, or smaller than the float whose bits
/// are `least`, from upper_bits<T>.smallest() to overflow().
template <class T>
[[gnu::always_inline]] inline RoundedValue<T> rounded_quickly_from(std::uint32_t least,
                                                                   double value) {
    constexpr UpperBits type = upper_bits<T>;
    const auto all = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    const std::uint32_t magnitude = all & 0x7fffffffU;
    // Adding just under half of the last bit that stays, plus that bit, rounds ties to even.
    const std::uint32_t rounded = (magnitude - ((127U - type.bias) << 23) + (type.half() - 1) +
                                   (magnitude >> type.dropped & 1U)) >>
                                  type.dropped;
    const std::uint32_t is_tie = (magnitude & (2 * type.half() - 1)) == type.half() ? 1 : 0;
    const std::uint32_t is_outside = magnitude - least < type.overflow() - least ? 0 : 1;
    return {T{static_cast<std::uint16_t>(rounded | (all >> 16 & 0x8000U))}, is_tie | is_outside};
}

template <class T>
RoundedValue<T> rounded_quickly(double value) {
    return rounded_quickly_from<T>(upper_bits<T>.smallest(), value);
}

}  // namespace pegen

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

/// A type that has the upper bits of a float but the last `dropped`, and an exponent of `bias`.
struct UpperBits {
    int dropped;
    unsigned bias;

    /// Half of the last bit that stays.
    constexpr std::uint32_t half() const { return 1U << (dropped - 1); }
    // The bits, as a float, of the smallest normal number, and of the one that overflows.
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
/// between two numbers of T, beyond the largest number of T, or less than the float of bits
/// `least`, which is from upper_bits<T>.smallest() to overflow().
template <class T>
[[gnu::always_inline]] inline RoundedValue<T> rounded_quickly_from(std::uint32_t least,
                                                                   double value) {
    constexpr UpperBits type = upper_bits<T>;
    const auto all = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    const std::uint32_t magnitude = all & 0x7fffffffU;
    // Just under half of the last bit that stays, and that bit: this rounds ties to even.
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

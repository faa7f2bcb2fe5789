#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "core/dtype.h"

namespace pegen {

/// Returns the bits of `value` rounded to nearest, ties to even, in a type whose exponent has 8 or
/// 5 bits. Works on the bits of the double: drops the last `dropped` of its 52 fraction bits and
/// changes the bias of its exponent from 1023 to `bias`. Has no branches and only unsigned shifts
/// and signed comparisons, so that compilers can vectorise it.
template <int dropped, int bias>
[[gnu::always_inline]] inline std::uint16_t half_bits(double value) {
    constexpr auto shifted = [](int number, int places) {
        return static_cast<std::int64_t>(number) << places;
    };
    constexpr std::int64_t infinity = shifted(2 * bias + 1, 52 - dropped);
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t unsigned_magnitude = bits & ~(std::uint64_t{1} << 63);
    const auto magnitude = static_cast<std::int64_t>(unsigned_magnitude);
    // Adding just under half of the last bit that stays, plus that bit itself, carries into the
    // bits that stay exactly if the value must be rounded up.
    const std::uint64_t carried = unsigned_magnitude + ((std::uint64_t{1} << (dropped - 1)) - 1) +
                                  (unsigned_magnitude >> dropped & 1);
    const std::int64_t normal =
        static_cast<std::int64_t>(carried >> dropped) - shifted(1023 - bias, 52 - dropped);
    // Subnormals are multiples of the smallest subnormal. The last bit of this sum is worth one
    // smallest subnormal, so the addition rounds to such a multiple.
    constexpr std::int64_t shifter = shifted(1024 - bias + dropped, 52);
    const double sum = std::bit_cast<double>(magnitude) + std::bit_cast<double>(shifter);
    const std::int64_t subnormal = std::bit_cast<std::int64_t>(sum) - shifter;
    constexpr std::int64_t quiet_nan = infinity + shifted(1, 51 - dropped);
    std::int64_t rounded = normal < infinity ? normal : infinity;
    rounded = magnitude < shifted(1024 - bias, 52) ? subnormal : rounded;
    rounded = magnitude > shifted(0x7ff, 52) ? quiet_nan : rounded;
    return static_cast<std::uint16_t>(static_cast<std::uint64_t>(rounded) | (bits >> 48 & 0x8000));
}

/// Returns `value` rounded once to T, to nearest, ties to even; infinity if the result exceeds the
/// largest finite value. For integers and bool, `value` must be a whole number in their range.
template <class T>
T round_to(double value) {
    return static_cast<T>(value);
}
template <>
[[gnu::always_inline]] inline float16 round_to<float16>(double value) {
    return float16{half_bits<42, 15>(value)};
}
template <>
[[gnu::always_inline]] inline bfloat16 round_to<bfloat16>(double value) {
    return bfloat16{half_bits<45, 127>(value)};
}

/// Returns the element as a double, exactly, except that integers beyond 2^53 are rounded to
/// nearest.
template <class T>
double widen(T element) {
    return static_cast<double>(element);
}
/// Returns a float16 as a double, exactly. Has no branches, so that compilers can vectorise it: the
/// fraction and the exponent are put where a float has them; a factor then corrects the exponent,
/// which is 112 too small there.
inline double widen(float16 element) {
    const std::uint32_t magnitude = bits(element) & 0x7fffU;
    const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112F;
    const std::uint32_t finite = std::bit_cast<std::uint32_t>(scaled);
    const std::uint32_t unsigned_bits = magnitude < 0x7c00 ? finite : finite | 0x7f800000U;
    return std::bit_cast<float>(unsigned_bits | (bits(element) & 0x8000U) << 16);
}
inline double widen(bfloat16 element) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits(element)) << 16);
}

/// Rounds each value to `dtype` and stores it; `out` holds values.size() elements.
void store(std::span<const double> values, DType dtype, std::span<std::byte> out);

/// Reads out.size() elements of `dtype` and widens each to a double.
void load(std::span<const std::byte> elements, DType dtype, std::span<double> out);

}  // namespace pegen

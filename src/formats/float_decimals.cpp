#include "formats/float_decimals.h"

#include <dragonbox/dragonbox.h>

#include <array>
#include <bit>

#include "core/clones.h"

namespace pegen {
namespace {

using Integers = std::array<std::int32_t, most_at_once>;
using Words = std::array<std::uint32_t, most_at_once>;

constexpr int lowest_power = -31;
constexpr int highest_power = 46;

/// The first 64 bits of 10^lowest_power to 10^highest_power, rounded up, in two halves.
struct Powers {
    std::array<std::uint32_t, highest_power - lowest_power + 1> high;
    std::array<std::uint32_t, highest_power - lowest_power + 1> low;
};
constexpr Powers powers = [] {
    Powers table{};
    for (int power = lowest_power; power <= highest_power; ++power) {
        namespace dragonbox = jkj::dragonbox;
        const std::uint64_t bits =
            dragonbox::policy::cache::full.get_cache<dragonbox::ieee754_binary32>(power);
        table.high[power - lowest_power] = static_cast<std::uint32_t>(bits >> 32);
        table.low[power - lowest_power] = static_cast<std::uint32_t>(bits);
    }
    return table;
}();

constexpr std::array<std::uint32_t, 9> powers_of_ten{
    1, 10, 100, 1000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};

/// Returns the first 32 of the 96 bits of a product, with the last of them set if the remaining
/// bits are not 0. Such a number compares with an even one as the product does. The rounding up of
/// the power adds less than 2 to the next 32 bits.
std::uint32_t rounded_to_odd(std::uint32_t high, std::uint32_t low, std::uint32_t factor) {
    const std::uint64_t product =
        std::uint64_t{high} * factor + (std::uint64_t{low} * factor >> 32);
    const auto next = static_cast<std::uint32_t>(product);
    return static_cast<std::uint32_t>(product >> 32) | static_cast<std::uint32_t>(next > 1);
}

/// Returns -1, all bits set, if the number is negative, or else 0.
std::int32_t negative(std::int32_t number) { return number >> 31; }

/// Returns `a` where the bits of `mask` are set, elsewhere `b`.
std::int32_t select(std::int32_t mask, std::int32_t a, std::int32_t b) {
    return (mask & a) | (~mask & b);
}

}  // namespace

PEGEN_CLONES void find_decimals(const float* numbers, std::size_t count, std::uint32_t* nine_digits,
                                int* exponents) {
    // A number is c * 2^q, and 10^k is the largest power of ten that is not above the distance of
    // the numbers that read back as it. `is_power` is 1 if the next smaller float is half as far
    // away as the next larger.
    Words c;
    Words is_power;
    Words shift;
    Integers k;
    for (std::size_t i = 0; i < count; ++i) {
        const auto bits = std::bit_cast<std::uint32_t>(numbers[i]);
        const std::uint32_t fraction = bits & 0x7fffff;
        const std::uint32_t biased = bits >> 23 & 0xff;
        const auto is_normal = static_cast<std::uint32_t>(biased > 0);
        c[i] = fraction | is_normal << 23;
        is_power[i] =
            static_cast<std::uint32_t>(fraction == 0) & static_cast<std::uint32_t>(biased > 1);
        const auto q = static_cast<std::int32_t>(biased + 1 - is_normal) - 150;
        // log10(2) = 1262611 / 2^22, log10(4/3) = 524031 / 2^22, log2(10) = 1741647 / 2^19
        k[i] = (q * 1262611 - static_cast<std::int32_t>(is_power[i] * 524031)) >> 22;
        shift[i] = static_cast<std::uint32_t>(q + (-k[i] * 1741647 >> 19) + 1);
    }
    Words high;
    Words low;
    for (std::size_t i = 0; i < count; ++i) {
        const auto power = static_cast<std::size_t>(-k[i] - lowest_power);
        high[i] = powers.high[power];
        low[i] = powers.low[power];
    }
    // The number in units of 10^k / 4, and the ends of the range that reads back as it; the ends
    // themselves read back as it only if c is even.
    Words value;
    Words lowest;
    Words highest;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t is_odd = c[i] & 1;
        value[i] = rounded_to_odd(high[i], low[i], 4 * c[i] << shift[i]);
        lowest[i] =
            is_odd + rounded_to_odd(high[i], low[i], (4 * c[i] - 2 + is_power[i]) << shift[i]);
        highest[i] = rounded_to_odd(high[i], low[i], (4 * c[i] + 2) << shift[i]) - is_odd;
    }
    // Of the two multiples of 10^(k + 1) around the number, at most one reads back as it, and is
    // the shortest decimal. If neither does, at least one of the two multiples of 10^k around it
    // does, and is chosen: the only one, or the nearer one, or the even one.
    Words digits;
    for (std::size_t i = 0; i < count; ++i) {
        const auto begin = static_cast<std::int32_t>(lowest[i]);
        const auto end = static_cast<std::int32_t>(highest[i]);
        const auto ones = static_cast<std::int32_t>(value[i] / 4);
        const auto tens = static_cast<std::int32_t>(value[i] / 40);
        const std::int32_t not_tens = negative(40 * tens - begin);
        const std::int32_t not_next_tens = negative(end - 40 * (tens + 1));
        const std::int32_t is_shorter = negative(9 - ones) & (not_tens ^ not_next_tens);
        const std::int32_t not_ones = negative(4 * ones - begin);
        const std::int32_t not_next_ones = negative(end - 4 * (ones + 1));
        const auto quarters = static_cast<std::int32_t>(value[i] & 3);
        const std::int32_t is_nearer_to_next = negative(2 - quarters - (ones & 1));
        const std::int32_t takes_next =
            select(not_ones ^ not_next_ones, ~not_next_ones, is_nearer_to_next);
        digits[i] = static_cast<std::uint32_t>(
            select(is_shorter, tens - ~not_next_tens, ones - takes_next));
        k[i] -= is_shorter;
    }
    Words more_digits;  // the number of digits after the first
    for (std::size_t i = 0; i < count; ++i) {
        const auto reaches = [&](std::size_t power) {
            return static_cast<std::uint32_t>(digits[i] >= powers_of_ten[power]);
        };
        more_digits[i] = reaches(1) + reaches(2) + reaches(3) + reaches(4) + reaches(5) +
                         reaches(6) + reaches(7) + reaches(8);
    }
    Words factor;
    for (std::size_t i = 0; i < count; ++i) factor[i] = powers_of_ten[8 - more_digits[i]];
    for (std::size_t i = 0; i < count; ++i) {
        const auto magnitude =
            static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(numbers[i]) & 0x7fffffff);
        const std::int32_t is_zero = negative(magnitude - 1);
        const std::int32_t is_finite = negative(magnitude - 0x7f800000);
        nine_digits[i] = digits[i] * factor[i] & static_cast<std::uint32_t>(~is_zero);
        const std::int32_t exponent = k[i] + static_cast<std::int32_t>(more_digits[i]);
        exponents[i] = select(is_finite, exponent & ~is_zero, not_finite);
    }
}

}  // namespace pegen

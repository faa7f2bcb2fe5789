#include "formats/number_text.h"

#include <dragonbox/dragonbox.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string_view>

#include "core/clones.h"
#include "core/dtype.h"

namespace pegen {
namespace {

/// Reads a decimal as std::to_chars writes it: "-1.25e-05".
Decimal parse_scientific(std::string_view text) {
    Decimal decimal{text.starts_with('-'), "", 0};
    if (decimal.is_negative) text.remove_prefix(1);
    const std::size_t e = text.find('e');
    decimal.digits = text.substr(0, e);
    if (decimal.digits.size() > 1) decimal.digits.erase(1, 1);
    std::string_view exponent = text.substr(e + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    std::from_chars(exponent.data(), exponent.data() + exponent.size(), decimal.exponent);
    return decimal;
}

/// Returns the text that std::to_chars writes for the arguments. A double has at most 310 digits
/// before the point.
template <class... Arguments>
std::string written(Arguments... arguments) {
    std::array<char, 400> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), arguments...).ptr;
    return {text.data(), end};
}

}  // namespace

Decimal shortest_decimal(float number) {
    return parse_scientific(written(number, std::chars_format::scientific));
}

Decimal shortest_decimal(double number) {
    return parse_scientific(written(number, std::chars_format::scientific));
}

Decimal rounded_decimal(double number, int places) {
    return parse_scientific(written(number, std::chars_format::scientific, places));
}

std::string fixed_text(double number, int places) {
    std::string text = written(number, std::chars_format::fixed, places);
    text.erase(text.find_last_not_of('0') + 1);
    return text;
}

std::string fixed_text(const Decimal& decimal) {
    std::string text = decimal.digits;
    if (decimal.exponent < 0) text.insert(0, -decimal.exponent, '0');
    const std::size_t whole = std::max(decimal.exponent, 0) + 1;
    if (text.size() < whole) text.append(whole - text.size(), '0');
    text.insert(whole, 1, '.');
    if (decimal.is_negative) text.insert(0, 1, '-');
    return text;
}

std::string scientific_text(const Decimal& decimal, int exponent_digits) {
    return fmt::format("{}{}.{}e{}{:0{}}", decimal.is_negative ? "-" : "", decimal.digits[0],
                       decimal.digits.substr(1), decimal.exponent < 0 ? '-' : '+',
                       std::abs(decimal.exponent), exponent_digits);
}

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

constexpr std::array<std::uint32_t, 9> powers_of_ten_32{
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
            return static_cast<std::uint32_t>(digits[i] >= powers_of_ten_32[power]);
        };
        more_digits[i] = reaches(1) + reaches(2) + reaches(3) + reaches(4) + reaches(5) +
                         reaches(6) + reaches(7) + reaches(8);
    }
    Words factor;
    for (std::size_t i = 0; i < count; ++i) factor[i] = powers_of_ten_32[8 - more_digits[i]];
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

namespace {

constexpr std::uint32_t eight_places = 100'000'000;

constexpr auto powers_of_ten_64 = [] {
    std::array<std::uint64_t, 17> result{1};
    for (std::size_t i = 1; i < result.size(); ++i) result[i] = result[i - 1] * 10;
    return result;
}();

/// Returns the number of decimal digits of a positive number below 10^17.
int digit_count(std::uint64_t number) {
    const auto reaches = [number](int digits) {
        return number >= powers_of_ten_64[digits - 1] ? 1 : 0;
    };
    // Most numbers have at least 15 digits. The comparisons are added up, since branches would be
    // mispredicted.
    if (reaches(15)) return 15 + reaches(16) + reaches(17);
    int count = 1;
    while (reaches(count + 1)) ++count;
    return count;
}

/// Returns the four decimal digits of a number below 10^4, a byte each, the first digit in the
/// lowest byte. The quotients by 100 and by 10 are exact for such numbers; both halves are divided
/// by 10 at once.
constexpr std::uint32_t four_digits(std::uint32_t number) {
    const std::uint32_t hundreds = number * 10486 >> 20;
    const std::uint32_t twos = hundreds | (number - hundreds * 100) << 16;
    const std::uint32_t tens = (twos * 103 >> 10) & 0x000f'000f;
    return tens | (twos - tens * 10) << 8;
}

/// Finds the decimal digits of `count` numbers below 10^8.
PEGEN_CLONES void find_eight_digits(const std::uint32_t* numbers, std::size_t count,
                                    std::uint64_t* digits) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t high = numbers[i] / 10'000;
        const std::uint32_t low = numbers[i] % 10'000;
        digits[i] = four_digits(high) | std::uint64_t{four_digits(low)} << 32;
    }
}

/// Removes the first of nine digits from each number.
PEGEN_CLONES void take_first_digits(std::uint32_t* numbers, std::size_t count,
                                    std::uint8_t* digits) {
    for (std::size_t i = 0; i < count; ++i) {
        digits[i] = static_cast<std::uint8_t>(numbers[i] / eight_places);
        numbers[i] %= eight_places;
    }
}

/// Finds decimals like find_decimals() of floats, but with 17 digits: nine, then eight.
void find_decimals(const double* numbers, std::size_t count, std::uint32_t* nine_digits,
                   std::uint32_t* eight_digits, int* exponents) {
    namespace policy = jkj::dragonbox::policy;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t digits = 0;
        exponents[i] = std::isfinite(numbers[i]) ? 0 : not_finite;
        if (std::isfinite(numbers[i]) && numbers[i] != 0) {
            const auto decimal = jkj::dragonbox::to_decimal(numbers[i], policy::sign::ignore,
                                                            policy::trailing_zero::ignore);
            const int size = digit_count(decimal.significand);
            digits = decimal.significand * powers_of_ten_64[17 - size];
            exponents[i] = decimal.exponent + size - 1;
        }
        nine_digits[i] = static_cast<std::uint32_t>(digits / eight_places);
        eight_digits[i] = static_cast<std::uint32_t>(digits % eight_places);
    }
}

void write_word(char* place, std::uint64_t digits) {
    static_assert(std::endian::native == std::endian::little);
    const std::uint64_t text = digits | 0x3030'3030'3030'3030;
    std::memcpy(place, &text, sizeof text);
}

/// Returns how many of the last digits of the word are 0.
int zeros_at_end(std::uint64_t word) { return std::countl_zero(word) / 8; }

char* write_exponent(char* place, int exponent) {
    *place++ = 'e';
    *place++ = exponent < 0 ? '-' : '+';
    const int magnitude = std::abs(exponent);
    if (magnitude < 10) *place++ = '0';
    return std::to_chars(place, place + 3, magnitude).ptr;
}

}  // namespace

template <class Number>
void ShortestTexts<Number>::read(std::span<const Number> numbers) {
    numbers_ = numbers;
    const std::size_t count = numbers_.size();
    std::array<std::uint32_t, most> nine;
    std::array<std::uint32_t, most> eight;
    if constexpr (sizeof(Number) == 4) {
        find_decimals(numbers_.data(), count, nine.data(), exponents_.data());
    } else {
        find_decimals(numbers_.data(), count, nine.data(), eight.data(), exponents_.data());
    }
    take_first_digits(nine.data(), count, first_digits_.data());
    find_eight_digits(nine.data(), count, words_.front().data());
    if constexpr (sizeof(Number) == 8) find_eight_digits(eight.data(), count, words_.back().data());
}

/// Writes all digits, and returns their number without the zeros at the end.
template <class Number>
int ShortestTexts<Number>::write_digits(char* place, std::size_t i) const {
    *place = static_cast<char>('0' + first_digits_[i]);
    write_word(place + 1, words_.front()[i]);
    const int nine = 9 - zeros_at_end(words_.front()[i]);
    if constexpr (sizeof(Number) == 4) return nine;
    write_word(place + 9, words_.back()[i]);
    return words_.back()[i] == 0 ? nine : 17 - zeros_at_end(words_.back()[i]);
}

template <class Number>
char* ShortestTexts<Number>::write(char* place, std::size_t i) const {
    const int exponent = exponents_[i];
    // A larger number may have non-zero digits where its shortest decimal has zeros. Infinities and
    // NaN also come here.
    if (exponent > std::numeric_limits<Number>::digits10) {
        const Number number = std::isnan(numbers_[i]) ? std::fabs(numbers_[i]) : numbers_[i];
        return std::to_chars(place, place + longest_number, number).ptr;
    }
    *place = '-';
    place += std::signbit(numbers_[i]) ? 1 : 0;

    if (exponent < 0 && exponent >= -4) {
        std::memcpy(place, "0.000", 5);
        char* const first = place + 1 - exponent;
        const int count = write_digits(first, i);
        if (exponent > -4 || count > 1) return first + count;
    }
    // The digits are written one place further on; then the digits before the point are moved back.
    const int count = write_digits(place + 1, i);
    const int zeros = exponent + 1 - count;
    const bool is_fixed = exponent >= 0 && zeros <= (count > 1 ? 5 : 4);
    const int before = is_fixed ? exponent + 1 : 1;
    for (int k = 0; k < before; ++k) place[k] = place[k + 1];
    place[before] = '.';
    char* const end = place + (count > before ? count + 1 : before);
    return is_fixed ? end : write_exponent(end, exponent);
}

template class ShortestTexts<float>;
template class ShortestTexts<double>;

namespace {

/// The powers 10^0 to 10^45; exact up to 10^22.
constexpr auto powers_of_ten_double = [] {
    std::array<double, 46> result{1.0};
    for (std::size_t i = 1; i < result.size(); ++i) result[i] = result[i - 1] * 10;
    return result;
}();

/// Returns count * 10^exponent, correctly rounded for powers up to 10^22. For larger powers the
/// last bit may be off, but no decimal this short is so near to the middle of two bfloat16s that it
/// would matter.
double scaled(double count, int exponent) {
    return exponent < 0 ? count / powers_of_ten_double[-exponent]
                        : count * powers_of_ten_double[exponent];
}

/// Returns the decimal with the fewest digits between the midpoints to the element's neighbours,
/// and the nearest to the element among equally short ones. The element must not be negative.
template <class Half>
double nearest_short_decimal(Half element) {
    const double value = widen(element);
    if (value == 0 || !std::isfinite(value)) return value;

    const double below = widen(Half{static_cast<std::uint16_t>(bits(element) - 1)});
    double above = widen(Half{static_cast<std::uint16_t>(bits(element) + 1)});
    if (std::isinf(above)) above = value + (value - below);
    const double lowest = (below + value) / 2;
    const double highest = (value + above) / 2;
    const bool ends_belong = bits(element) % 2 == 0;  // a tie is read as the even neighbour

    for (int exponent = static_cast<int>(std::floor(std::log10(value)));; --exponent) {
        const double nearest = std::nearbyint(scaled(value, -exponent));
        // At a power of two the interval is wider above than below: the nearest decimal may lie
        // outside on one side while the next decimal lies inside on the other.
        const double other = nearest + (scaled(nearest, exponent) < value ? 1 : -1);
        for (const double count : {nearest, other}) {
            const double decimal = scaled(count, exponent);
            const bool inside = ends_belong ? lowest <= decimal && decimal <= highest
                                            : lowest < decimal && decimal < highest;
            if (inside && count > 0) return decimal;
        }
    }
}

/// Returns nearest_short_decimal(), for either sign, from a cache: there are few 16-bit floats, and
/// a table repeats them many times. Threads that write the same entry write the same number.
template <class Half>
double remembered_short_decimal(Half element) {
    static std::array<std::atomic<double>, 0x8000> known{};  // by magnitude; 0: not known yet
    std::atomic<double>& entry = known[bits(element) & 0x7fff];
    double decimal = entry.load(std::memory_order_relaxed);
    if (decimal == 0) {
        decimal = nearest_short_decimal(Half{static_cast<std::uint16_t>(bits(element) & 0x7fff)});
        entry.store(decimal, std::memory_order_relaxed);
    }
    return bits(element) & 0x8000 ? -decimal : decimal;
}

}  // namespace

double printable(float16 element) { return remembered_short_decimal(element); }

// A float holds the few digits of any bfloat16's decimal; a double might show the error of scaled()
// at 10^-40.
float printable(bfloat16 element) { return static_cast<float>(remembered_short_decimal(element)); }

}  // namespace pegen

#include "formats/shortest_text.h"

#include <dragonbox/dragonbox.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "core/clones.h"
#include "formats/float_decimals.h"

namespace pegen {
namespace {

constexpr std::uint32_t eight_places = 100'000'000;

constexpr auto powers_of_ten = [] {
    std::array<std::uint64_t, 17> powers{1};
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
    return powers;
}();

/// Returns the number of decimal digits of a positive number below 10^17.
int digit_count(std::uint64_t number) {
    const auto reaches = [number](int digits) {
        return number >= powers_of_ten[digits - 1] ? 1 : 0;
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
            digits = decimal.significand * powers_of_ten[17 - size];
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

}  // namespace pegen

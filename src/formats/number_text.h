#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>

#include "core/dtype.h"

namespace pegen {

/// A decimal number in scientific form: d.ddd x 10^exponent.
struct Decimal {
    bool is_negative;
    std::string digits;  ///< at least one; the first is 0 only for zero
    int exponent;
};

/// Returns the shortest decimal that reads back as the same number.
Decimal shortest_decimal(float number);
Decimal shortest_decimal(double number);

/// Returns the exact value of `number`, correctly rounded (ties to even) to `places` digits after
/// the first one.
Decimal rounded_decimal(double number, int places);

/// Writes the exact value of `number`, correctly rounded (ties to even) to `places` digits after
/// the point, without the zeros at its end but with the point: "0.5", "3."
std::string fixed_text(double number, int places);

/// Writes all digits, with a point: "0.05", "1200."
std::string fixed_text(const Decimal& decimal);

/// Writes the decimal with a point and an exponent of at least `exponent_digits` digits: "1.2e+03",
/// "5.e-324"
std::string scientific_text(const Decimal& decimal, int exponent_digits);

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

/// Enough characters for any number, with one to spare on each side.
inline constexpr std::size_t longest_number = 32;

/// A converter of numbers to the texts that std::to_chars writes, in half of its time: the shortest
/// decimal that reads back as the same number, the nearest to it among equally short ones, with an
/// exponent where that is shorter: "0.001", "1e-05", "12300", "1e+05". A zero keeps its sign;
/// infinities are "inf" and "-inf", a NaN is "nan" whatever its sign. Number is float or double.
///
/// Numbers come in blocks, since the digits of many numbers are found faster together.
template <class Number>
class ShortestTexts {
  public:
    static constexpr std::size_t most = most_at_once;

    /// Finds the decimals of at most `most` numbers, which must stay where they are.
    void read(std::span<const Number> numbers);

    /// Writes the number at index `i` and returns the end of its text. There must be room for
    /// longest_number characters; those after the end may be overwritten.
    char* write(char* place, std::size_t i) const;

  private:
    int write_digits(char* place, std::size_t i) const;

    std::span<const Number> numbers_;
    std::array<int, most> exponents_;  // exponents of the first digits
    // All digits that a Number can need, with zeros at the end: first one digit, then eight in a
    // word, then, for a double, eight more. The earliest digit is the lowest byte.
    std::array<std::uint8_t, most> first_digits_;
    std::array<std::array<std::uint64_t, most>, sizeof(Number) / 4> words_;
};

extern template class ShortestTexts<float>;
extern template class ShortestTexts<double>;

/// Returns the number whose shortest decimal is also the shortest that reads back as `element`, and
/// the nearest to `element` among equally short ones: 65500 for the float16 65504.
double printable(float16 element);
float printable(bfloat16 element);
template <std::integral T>
T printable(T element) {
    return element;
}
template <std::floating_point T>
T printable(T element) {
    return element;
}

/// Texts of elements, found a block at a time: for each element the shortest text that reads back
/// as it, "nan", "inf" or "-inf"; for a bool 0 or 1.
template <class T>
class NumberTexts {
  public:
    static constexpr std::size_t most = ShortestTexts<float>::most;

    /// Reads at most `most` elements.
    void read(std::span<const std::byte> block) {
        std::memcpy(elements_.data(), block.data(), block.size());
        const std::size_t count = block.size() / sizeof(T);
        if constexpr (is_floating) {
            for (std::size_t i = 0; i < count; ++i) numbers_[i] = printable(elements_[i]);
            texts_.read(std::span(numbers_).first(count));
        }
    }

    T element(std::size_t i) const { return elements_[i]; }

    /// Writes the element at index `i` and returns the end of its text. There must be room for
    /// longest_number characters; those after the end may be overwritten.
    char* write(char* place, std::size_t i) const {
        if constexpr (is_floating) {
            return texts_.write(place, i);
        } else if constexpr (std::is_same_v<T, bool>) {
            *place = elements_[i] ? '1' : '0';
            return place + 1;
        } else {
            return std::to_chars(place, place + longest_number, elements_[i]).ptr;
        }
    }

  private:
    using Number = decltype(printable(T{}));
    static constexpr bool is_floating = std::is_floating_point_v<Number>;
    struct Nothing {};

    std::array<T, most> elements_;
    std::conditional_t<is_floating, std::array<Number, most>, Nothing> numbers_;
    std::conditional_t<is_floating, ShortestTexts<Number>, Nothing> texts_;
};

/// Writes one element as NumberTexts does, and returns the end of its text. There must be room for
/// longest_number characters.
template <class T>
char* write_number(char* place, T element) {
    NumberTexts<T> texts;
    texts.read(std::as_bytes(std::span(&element, 1)));
    return texts.write(place, 0);
}

/// Appends the elements with a comma between them. `amend(place, end, element)` may change the text
/// of an element, which reaches from `place` to `end`, and returns the new end of the text.
template <class T, class Amend>
void append_elements(std::span<const std::byte> elements, Amend amend, std::string& out) {
    std::array<char, 4096> text;
    char* const full = text.data() + text.size() - longest_number - 1;
    char* place = text.data();
    NumberTexts<T> texts;
    for (std::size_t first = 0; first < elements.size(); first += texts.most * sizeof(T)) {
        const std::size_t size = std::min(elements.size() - first, texts.most * sizeof(T));
        texts.read(elements.subspan(first, size));
        for (std::size_t i = 0; i < size / sizeof(T); ++i) {
            if (first + i > 0) *place++ = ',';
            place = amend(place, texts.write(place, i), texts.element(i));
            if (place >= full) {
                out.append(text.data(), place);
                place = text.data();
            }
        }
    }
    out.append(text.data(), place);
}

}  // namespace pegen

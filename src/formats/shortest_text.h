#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/float_decimals.h"

namespace pegen {

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

}  // namespace pegen

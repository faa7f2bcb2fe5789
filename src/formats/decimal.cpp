#include "formats/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

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

}  // namespace pegen

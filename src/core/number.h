#pragma once

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace pegen {

/// The numbers a parameter may have. An open end is not itself allowed.
struct Range {
    double lowest = -std::numeric_limits<double>::infinity();
    double highest = std::numeric_limits<double>::infinity();
    bool lowest_is_open = false;

    constexpr bool contains(double value) const {
        return (lowest_is_open ? value > lowest : value >= lowest) && value <= highest;
    }

    /// True if the range has the whole number, which need not be a double.
    constexpr bool contains_whole(std::int64_t number) const {
        const auto nearest = static_cast<double>(number);
        const bool is_rounded_to_end =
            nearest == highest && highest < 0x1p63 && number > static_cast<std::int64_t>(highest);
        return contains(nearest) && !is_rounded_to_end;
    }
};

inline constexpr double two_to_53 = 0x1p53;  ///< up to here every whole number is a double
inline constexpr Range any_number{};
inline constexpr Range positive{.lowest = 0, .lowest_is_open = true};
inline constexpr Range any_position{.lowest = -two_to_53, .highest = two_to_53};
inline constexpr Range any_index{.lowest = 0, .highest = two_to_53};
inline constexpr Range any_count{.lowest = 1, .highest = two_to_53};

/// Returns the rule in words: "must be greater than 0", "must be between 1 and 9".
std::string describe(const Range& range);

/// Reads a double at the beginning of `text`, as std::from_chars does, which libc++ has for
/// integers alone: correctly rounded, in any locale; neither spaces nor a plus sign come first.
/// `value` stays as it is if there is no number (invalid_argument), or none that a double is near
/// (result_out_of_range).
std::from_chars_result read_double(std::string_view text, double& value);

/// Reads a decimal integer: an optional minus sign and digits, without leading zeros. `what` names
/// the value in messages: "--len".
/// Throws: UsageError with the reason: octal- or hexadecimal-looking text, exponents, trailing
/// characters, out of range.
std::int64_t parse_integer(std::string_view text, std::string_view what);

/// Reads a finite decimal number, or an expression of such numbers (core/expression.h): "10000",
/// "1e4", "-.5", "2*pi/12".
/// Throws: UsageError with the reason: hexadecimal, trailing characters, NaN, infinity, overflow,
/// underflow to 0.
double parse_real(std::string_view text, std::string_view what);

/// Returns the shortest decimal that reads back as the same double: "10000", "0.1", "1e+100".
std::string shortest(double value);

/// Returns the same, but whole numbers below 10^12 without an exponent, as people type them:
/// "500000" rather than "5e+05".
std::string plain(double value);

/// Returns a number of bytes as a text for people: "128 B", "76.5 MB", "614 GB".
std::string bytes_text(double bytes);

}  // namespace pegen

#include "core/number.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "core/error.h"
#include "core/expression.h"

#ifndef __cpp_lib_to_chars
#include <fast_float/fast_float.h>
#endif

namespace pegen {

std::string describe(const Range& range) {
    const bool from_below = std::isfinite(range.lowest);
    const bool from_above = std::isfinite(range.highest);
    if (from_below && range.lowest_is_open) {
        return from_above ? fmt::format("must be greater than {} and at most {}",
                                        shortest(range.lowest), shortest(range.highest))
                          : fmt::format("must be greater than {}", shortest(range.lowest));
    }
    if (from_below && from_above) {
        return fmt::format("must be between {} and {}", shortest(range.lowest),
                           shortest(range.highest));
    }
    if (from_below) return fmt::format("must be at least {}", shortest(range.lowest));
    if (from_above) return fmt::format("must be at most {}", shortest(range.highest));
    return "may be any number";
}

std::from_chars_result read_double(std::string_view text, double& value) {
    const char* const end = text.data() + text.size();
#ifdef __cpp_lib_to_chars
    return std::from_chars(text.data(), end, value);
#else
    double number = 0;
    const auto [stop, error] = fast_float::from_chars(text.data(), end, number);
    if (error != std::errc()) return {stop, error};
    // Older versions give 0 or infinity for a number that is too small or too large.
    const std::string_view read(text.data(), stop - text.data());
    const std::string_view digits = read.substr(0, read.find_first_of("eE"));
    const bool is_zero = digits.find_first_of("123456789") == digits.npos;
    if (!is_zero && (number == 0 || std::isinf(number)))
        return {stop, std::errc::result_out_of_range};
    value = number;
    return {stop, error};
#endif
}

namespace {

[[noreturn]] void reject(std::string_view what, std::string_view text, std::string_view reason) {
    throw UsageError(fmt::format("{} {}: {}", what, text.empty() ? "''" : text, reason));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool looks_hexadecimal(std::string_view digits) {
    return digits.size() > 1 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
}

}  // namespace

std::int64_t parse_integer(std::string_view text, std::string_view what) {
    const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
    if (digits.empty()) reject(what, text, "needs an integer");
    if (looks_hexadecimal(digits)) reject(what, text, "integers are decimal, not hexadecimal");
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range) reject(what, text, "too large for an integer");
    if (error != std::errc()) reject(what, text, "not an integer");
    if (digits.size() > 1 && digits[0] == '0' && is_digit(digits[1])) {
        reject(what, text, fmt::format("integers are decimal; leave out the leading zero"));
    }
    if (end != text.data() + text.size()) {
        double real = 0;
        const auto [real_end, real_error] = read_double(text, real);
        const bool is_real = real_error == std::errc() && real_end == text.data() + text.size();
        if (is_real && std::fabs(real) < two_to_53 && real == std::trunc(real)) {
            reject(what, text, fmt::format("needs an integer written in digits: {:.0f}", real));
        }
        if (is_real) reject(what, text, "needs an integer");
        reject(what, text,
               fmt::format("not an integer: '{}' after the digits",
                           std::string_view(end, text.data() + text.size())));
    }
    return value;
}

double parse_real(std::string_view text, std::string_view what) {
    if (is_expression(text)) {
        return evaluate(text, what, [](std::string_view) { return std::nullopt; });
    }
    const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
    if (digits.empty()) reject(what, text, "needs a number");
    if (looks_hexadecimal(digits)) reject(what, text, "numbers are decimal, not hexadecimal");
    double value = 0;
    const auto [end, error] = read_double(text, value);
    if (error == std::errc::result_out_of_range) reject(what, text, "beyond the range of a double");
    if (error != std::errc()) reject(what, text, "not a number");
    if (end != text.data() + text.size()) {
        reject(what, text,
               fmt::format("not a number: '{}' after the digits",
                           std::string_view(end, text.data() + text.size())));
    }
    if (!std::isfinite(value)) reject(what, text, "must be finite");
    return value;
}

std::string shortest(double value) {
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

std::string plain(double value) {
    constexpr double most = 1e12;
    const bool is_whole = std::rint(value) == value && std::fabs(value) < most;
    return is_whole ? fmt::format("{:.0f}", value) : shortest(value);
}

std::string bytes_text(double bytes) {
    constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    std::size_t unit = 0;
    // Values from 999.5 on would be printed as 1000.
    for (; bytes >= 999.5 && unit + 1 < units.size(); ++unit) bytes /= 1000;
    return fmt::format("{:.{}f} {}", bytes, unit > 0 && bytes < 99.95 ? 1 : 0, units[unit]);
}

}  // namespace pegen

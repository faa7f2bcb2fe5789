#include "numerics/decimal_text.h"

#include <fmt/format.h>

#include <cassert>
#include <memory>
#include <string_view>

namespace pegen::numerics {
namespace {

/// A number in the form  0.digits * 10^exponent.
struct Digits {
    bool is_negative;
    std::string digits;
    mpfr_exp_t exponent;
};

/// Returns the value rounded to `count` digits. Precondition: the value is finite and not 0.
Digits digits_of(const Real& value, int count) {
    mpfr_exp_t exponent = 0;
    const std::unique_ptr<char, decltype(&mpfr_free_str)> text(
        mpfr_get_str(nullptr, &exponent, 10, count, value.get(), MPFR_RNDN), mpfr_free_str);
    const std::string_view digits(text.get());
    const bool is_negative = digits.starts_with('-');
    return {is_negative, std::string(digits.substr(is_negative ? 1 : 0)), exponent};
}

/// Returns "inf", "-inf", "nan" or "0" for a value with that name; "" for other numbers.
std::string_view name_of(const Real& value) {
    if (mpfr_nan_p(value.get()) != 0) return "nan";
    if (mpfr_inf_p(value.get()) != 0) return mpfr_signbit(value.get()) != 0 ? "-inf" : "inf";
    return mpfr_zero_p(value.get()) != 0 ? "0" : "";
}

std::string with_exponent(const std::string& digits, mpfr_exp_t exponent) {
    const std::string_view point = digits.size() > 1 ? "." : "";
    return fmt::format("{}{}{}e{:+03}", digits[0], point, digits.substr(1), exponent);
}

/// Returns the number as a text. `count`, the number of digits asked for, decides whether it has an
/// exponent.
std::string text_of(const Digits& number, int count) {
    const auto& [is_negative, digits, exponent] = number;
    const auto whole = static_cast<std::int64_t>(digits.size());
    std::string text;
    if (exponent > count || exponent < -3) {
        text = with_exponent(digits, exponent - 1);
    } else if (exponent <= 0) {
        text = "0." + std::string(-exponent, '0') + digits;
    } else if (exponent >= whole) {
        text = digits + std::string(exponent - whole, '0');
    } else {
        text = digits.substr(0, exponent) + "." + digits.substr(exponent);
    }
    return (is_negative ? "-" : "") + text;
}

}  // namespace

std::string decimal_text(const Real& value, int digits) {
    assert(digits > 1);
    const std::string_view name = name_of(value);
    return name.empty() ? text_of(digits_of(value, digits), digits) : std::string(name);
}

std::string short_decimal_text(const Real& value, int digits) {
    assert(digits > 1);
    const std::string_view name = name_of(value);
    if (!name.empty()) return std::string(name);
    Digits number = digits_of(value, digits);
    number.digits.erase(number.digits.find_last_not_of('0') + 1);
    return text_of(number, digits);
}

bool is_decimal(const Real& value, int digits) {
    const std::string text = decimal_text(value, digits);
    const Precision precision(mpfr_get_prec(value.get()));
    Real nearest;
    mpfr_set_str(nearest.get(), text.c_str(), 10, MPFR_RNDN);
    return nearest == value;
}

}  // namespace pegen::numerics

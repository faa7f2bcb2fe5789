#include "numerics/real.h"

#include <fmt/format.h>
#include <gmp.h>

#include <cassert>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "core/progress.h"
#include "numerics/rounding.h"

namespace pegen::numerics {
namespace {

/// An object that, at the end of a thread, frees what MPFR keeps for it: constants and memory to
/// use again.
struct ThreadCaches {
    ~ThreadCaches() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
};

/// Return about how many operations on doubles take as long as one operation of MPFR: an arithmetic
/// one, or a transcendental function.
std::int64_t cost() { return Precision::bits() / 32; }
std::int64_t cost_of_function() { return 64 * cost(); }

/// Calls an MPFR function.
template <class... Arguments>
Real result_of(std::int64_t cost, auto* function, const Arguments&... arguments) {
    report_work(cost);
    Real result;
    function(result.get(), arguments.get()..., MPFR_RNDN);
    return result;
}

}  // namespace

Real::Real() {
    static thread_local const ThreadCaches caches;
    mpfr_init2(value_, Precision::bits());
}

Real operator+(const Real& a, const Real& b) { return result_of(cost(), mpfr_add, a, b); }
Real operator-(const Real& a, const Real& b) { return result_of(cost(), mpfr_sub, a, b); }
Real operator*(const Real& a, const Real& b) { return result_of(cost(), mpfr_mul, a, b); }
Real operator/(const Real& a, const Real& b) { return result_of(cost(), mpfr_div, a, b); }
Real operator-(const Real& a) { return result_of(cost(), mpfr_neg, a); }
Real abs(const Real& a) { return result_of(cost(), mpfr_abs, a); }
bool operator<(const Real& a, const Real& b) { return mpfr_less_p(a.get(), b.get()) != 0; }
bool operator==(const Real& a, const Real& b) { return mpfr_equal_p(a.get(), b.get()) != 0; }

Real exp(const Real& a) { return result_of(cost_of_function(), mpfr_exp, a); }
Real log(const Real& a) { return result_of(cost_of_function(), mpfr_log, a); }
Real log1p(const Real& a) { return result_of(cost_of_function(), mpfr_log1p, a); }
Real log2(const Real& a) { return result_of(cost_of_function(), mpfr_log2, a); }
Real sqrt(const Real& a) { return result_of(cost_of_function(), mpfr_sqrt, a); }
Real pow(const Real& base, const Real& exponent) {
    return result_of(cost_of_function(), mpfr_pow, base, exponent);
}
Real erf(const Real& a) { return result_of(cost_of_function(), mpfr_erf, a); }
Real floor(const Real& a) { return result_of(cost(), mpfr_rint_floor, a); }
Real ceil(const Real& a) { return result_of(cost(), mpfr_rint_ceil, a); }
Real cos(const Real& a) { return result_of(cost_of_function(), mpfr_cos, a); }
Real sin(const Real& a) { return result_of(cost_of_function(), mpfr_sin, a); }
Real tanh(const Real& a) { return result_of(cost_of_function(), mpfr_tanh, a); }
Real atan(const Real& a) { return result_of(cost_of_function(), mpfr_atan, a); }
Real pi() { return result_of(cost_of_function(), mpfr_const_pi); }

std::string libraries() { return fmt::format("MPFR {}, GMP {}", mpfr_get_version(), gmp_version); }

double nearest_double(const Real& value) { return mpfr_get_d(value.get(), MPFR_RNDN); }

DoubleDouble nearest_double_double(const Real& value) {
    const double high = mpfr_get_d(value.get(), MPFR_RNDN);
    Real rest;
    mpfr_sub_d(rest.get(), value.get(), high, MPFR_RNDN);
    return {high, mpfr_get_d(rest.get(), MPFR_RNDN)};
}

double for_rounding_to(DType dtype, const Real& value) {
    if (dtype == DType::float64) return mpfr_get_d(value.get(), MPFR_RNDN);
    const double truncated = mpfr_get_d(value.get(), MPFR_RNDZ);
    const bool is_exact = mpfr_cmp_d(value.get(), truncated) == 0;
    return round_to_odd(truncated, is_exact ? Rest::nothing : Rest::something);
}

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

namespace {

void (*end_program)() = std::abort;

void* checked(void* memory) {
    if (!memory) end_program();
    return memory;
}

void* allocate(std::size_t size) { return checked(std::malloc(size)); }

void* reallocate(void* memory, std::size_t, std::size_t size) {
    return checked(std::realloc(memory, size));
}

void release(void* memory, std::size_t) { std::free(memory); }

}  // namespace

void call_without_memory(void (*end)()) {
    end_program = end;
    mp_set_memory_functions(allocate, reallocate, release);
}

}  // namespace pegen::numerics

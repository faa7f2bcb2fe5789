#include "core/double_double.h"

#include <cmath>

namespace pegen {
namespace {

constexpr DoubleDouble log_2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

DoubleDouble plus(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble high = sum(a.high, b.high);
    const DoubleDouble low = sum(a.low, b.low);
    const DoubleDouble some = sum_ordered(high.high, high.low + low.high);
    return sum_ordered(some.high, some.low + low.low);
}

DoubleDouble divided(DoubleDouble a, double b) {
    const double quotient = a.high / b;
    return sum_ordered(quotient, (std::fma(-quotient, b, a.high) + a.low) / b);
}

/// Returns e^x by its Taylor series, for |x| < 0.35.
DoubleDouble exp_of_small(DoubleDouble x) {
    constexpr int halvings = 6;
    const DoubleDouble reduced{std::ldexp(x.high, -halvings), std::ldexp(x.low, -halvings)};
    // `rest` is e^x - 1, which loses no digits when e^x is squared: (1 + r)^2 - 1 = 2 r + r^2.
    DoubleDouble rest{0, 0};
    constexpr int terms = 14;
    for (int n = terms; n > 0; --n) {
        rest = divided(product(reduced, plus({1, 0}, rest)), n);
    }
    for (int i = 0; i < halvings; ++i) {
        rest = plus({2 * rest.high, 2 * rest.low}, product(rest, rest));
    }
    return plus({1, 0}, rest);
}

/// The number  number * 2^exponent.
struct Scaled {
    DoubleDouble number;
    int exponent;
};

Scaled exp_of(DoubleDouble x) {
    const double whole = std::nearbyint(x.high / log_2.high);
    const DoubleDouble rest = plus(x, product(log_2, {-whole, 0}));
    return {exp_of_small(rest), static_cast<int>(whole)};
}

DoubleDouble log_of(double x) {
    int exponent = 0;
    double fraction = std::frexp(x, &exponent);
    if (fraction < 0.7) {
        fraction *= 2;
        --exponent;
    }
    // One step of Newton's method, y + x e^-y - 1, doubles the digits.
    const double near = std::log(fraction);
    const Scaled inverse = exp_of({-near, 0});
    const DoubleDouble unscaled{std::ldexp(inverse.number.high, inverse.exponent),
                                std::ldexp(inverse.number.low, inverse.exponent)};
    const DoubleDouble ratio = product(unscaled, {fraction, 0});
    const DoubleDouble correction = plus(ratio, {-1, 0});
    // log(1 + c) = c - c^2 / 2, for a c of 2^-52.
    const DoubleDouble log_of_ratio = plus(correction, {-correction.high * correction.high / 2, 0});
    return plus(plus({near, 0}, log_of_ratio), product(log_2, {static_cast<double>(exponent), 0}));
}

double rounded(const Scaled& value) {
    return std::ldexp(value.number.high + value.number.low, value.exponent);
}

double exponential_of(DoubleDouble x) {
    constexpr double largest_logarithm = 745.2;
    if (std::fabs(x.high) > largest_logarithm) return x.high > 0 ? HUGE_VAL : 0.0;
    return rounded(exp_of(x));
}

}  // namespace

double exponential(double x) { return exponential_of({x, 0}); }

double logarithm(double x) {
    const DoubleDouble log = log_of(x);
    return log.high + log.low;
}

double power(double base, double exponent) {
    if (exponent == 0 || base == 1) return 1;
    if (base == 0) return 0;
    const double magnitude = exponential_of(product(log_of(std::fabs(base)), {exponent, 0}));
    const bool is_negative = base < 0 && std::fmod(exponent, 2) != 0;
    return is_negative ? -magnitude : magnitude;
}

}  // namespace pegen

#include "numerics/softmax.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/clones.h"

namespace pegen::numerics {
namespace {

constexpr std::size_t lanes = 8;

/// The values 1 / n! for n = 0 ... 13.
constexpr auto inverse_factorials = [] {
    std::array<double, 14> values{1};
    double factorial = 1;
    for (std::size_t n = 1; n < values.size(); ++n) values[n] = 1 / (factorial *= double(n));
    return values;
}();

/// The number whose addition rounds a small number to an integer and leaves this integer in the
/// last bits.
constexpr double to_integer = 0x1.8p52;

/// Returns 2^n for shifted = n + to_integer, whose last bits are n, -1022 <= n <= 1023.
[[gnu::always_inline]] inline double power_of_two(double shifted) {
    return std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52);
}

/// Returns exp(x) for x <= 0 within 2 units in the last place, 0 below -745.2. With
/// x = n log 2 + r, |r| <= log(2) / 2, the series of exp(r) ends with a term below 2^-57.
[[gnu::always_inline]] inline double exponential(double x) {
    constexpr double log2_high = 0x1.62e42fefa39efp-1, log2_low = 0x1.abc9e3b39803fp-56;
    const double bounded = x < -746.0 ? -746.0 : x;
    const double n = (bounded * 0x1.71547652b82fep+0 + to_integer) - to_integer;
    const double r = std::fma(-n, log2_low, std::fma(-n, log2_high, bounded));
    double sum = inverse_factorials.back();
#pragma GCC unroll 16
    for (std::size_t term = inverse_factorials.size() - 1; term-- > 0;) {
        sum = std::fma(sum, r, inverse_factorials[term]);
    }
    // The factor 2^n is applied in two steps, since it may be too small for a normal number.
    const double half = n * 0.5 + to_integer;
    return sum * power_of_two(half) * power_of_two(n - (half - to_integer) + to_integer);
}

PEGEN_CLONES double sum_of_values(const double* values, std::size_t count) {
    double sums[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += values[i + lane];
    }
    for (; i < count; ++i) sums[i % lanes] += values[i];
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
           ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

PEGEN_CLONES double largest_of(const double* values, std::size_t count) {
    double largest[lanes];
    std::fill_n(largest, lanes, values[0]);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            largest[lane] = values[i + lane] > largest[lane] ? values[i + lane] : largest[lane];
        }
    }
    for (; i < count; ++i) largest[0] = std::max(largest[0], values[i]);
    return *std::max_element(largest, largest + lanes);
}

PEGEN_CLONES void exponentiate(double* values, std::size_t count, double largest) {
    for (std::size_t i = 0; i < count; ++i) values[i] = exponential(values[i] - largest);
}

PEGEN_CLONES void divide(double* values, std::size_t count, double divisor) {
    for (std::size_t i = 0; i < count; ++i) values[i] /= divisor;
}

}  // namespace

double sum_of(std::span<const double> values) {
    return sum_of_values(values.data(), values.size());
}

void softmax(std::span<double> scores) {
    if (scores.empty()) return;
    exponentiate(scores.data(), scores.size(), largest_of(scores.data(), scores.size()));
    divide(scores.data(), scores.size(), sum_of(scores));
}

}  // namespace pegen::numerics

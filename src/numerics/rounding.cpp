#include "numerics/rounding.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/clones.h"
#include "core/dtype.h"

namespace pegen::numerics {
namespace {

/// Returns the quotient of a >= 0 and b > 0, rounded to odd. Has no branches, so that compilers can
/// vectorise it.
[[gnu::always_inline]] inline double quotient_to_odd(double a, double b) {
    const double nearest = a / b;
    const double rest = std::fma(-nearest, b, a);  // exact
    const std::uint64_t truncated = std::bit_cast<std::uint64_t>(nearest) - (rest < 0 ? 1 : 0);
    return std::bit_cast<double>(truncated | (rest == 0 ? 0 : 1));
}

PEGEN_CLONES void divide_to_odd(double* numbers, std::size_t count, double divisor) {
    for (std::size_t i = 0; i < count; ++i) numbers[i] = quotient_to_odd(numbers[i], divisor);
}

}  // namespace

double rounded(double value, DType dtype) {
    switch (dtype) {
        case DType::float32:
            return round_to<float>(value);
        case DType::float16:
            return widen(round_to<float16>(value));
        case DType::bfloat16:
            return widen(round_to<bfloat16>(value));
        default:
            return value;
    }
}

double round_to_odd(double truncated, Rest rest) {
    if (rest == Rest::nothing) return truncated;
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(truncated) | 1);
}

double quotient_for(DType dtype, double a, double b) {
    return dtype == DType::float64 ? a / b : quotient_to_odd(a, b);
}

void divide_for(DType dtype, std::span<double> numbers, double divisor) {
    if (dtype == DType::float64) {
        for (double& number : numbers) number /= divisor;
    } else {
        divide_to_odd(numbers.data(), numbers.size(), divisor);
    }
}

}  // namespace pegen::numerics

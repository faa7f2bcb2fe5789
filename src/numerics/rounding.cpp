#include "numerics/rounding.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/element.h"

namespace pegen::numerics {

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
    const double nearest = a / b;
    if (dtype == DType::float64) return nearest;
    const double rest = std::fma(-nearest, b, a);  // exact
    if (rest == 0) return nearest;
    const double truncated = rest < 0 ? std::nextafter(nearest, 0.0) : nearest;
    return round_to_odd(truncated, Rest::something);
}

}  // namespace pegen::numerics

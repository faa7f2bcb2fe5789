#include "recognition/evidence/precision.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/dtype.h"

namespace pegen::evidence {
namespace {

/// The formats, narrowest first. bfloat16 has the range of float32, float16 has not.
constexpr std::array formats{
    Precision{DType::bfloat16, 8, -133},
    Precision{DType::float16, 11, -24},
    Precision{DType::float32, 24, -149},
    Precision{DType::float64, 53, -1074},
};

template <class T>
bool holds(double value) {
    return widen(round_to<T>(value)) == value;
}

bool holds(const Precision& format, double value) {
    switch (format.dtype) {
        case DType::bfloat16:
            return holds<bfloat16>(value);
        case DType::float16:
            return holds<float16>(value);
        case DType::float32:
            return holds<float>(value);
        default:
            return true;
    }
}

}  // namespace

Precision precision_of(DType dtype) {
    const auto* const found = std::ranges::find(formats, dtype, &Precision::dtype);
    return found == formats.end() ? formats.back() : *found;
}

Precision narrowest(std::span<const double> values, DType dtype) {
    const Precision own = precision_of(dtype);
    // A value shows something about the format unless it is a small whole number or a simple
    // fraction of one, which all formats hold.
    const auto is_telling = [](double value) {
        return std::isfinite(value) && std::rint(value * 64) != value * 64;
    };
    constexpr std::ptrdiff_t enough = 12;
    if (std::ranges::count_if(values, is_telling) < enough) return own;
    for (const Precision& format : formats) {
        if (format.digits >= own.digits) break;
        const auto is_held = [&](double value) {
            return !std::isfinite(value) || holds(format, value);
        };
        if (std::ranges::all_of(values, is_held)) return format;
    }
    return own;
}

double unit_of(double value, const Precision& precision) {
    // The bits are read directly, because ilogb and ldexp are too slow to call for each value.
    constexpr int digits = 52, bias = 1023, of_no_number = 0x7ff;
    const auto exponent_bits =
        static_cast<int>(std::bit_cast<std::uint64_t>(value) >> digits & of_no_number);
    const bool is_usual = exponent_bits != 0 && exponent_bits != of_no_number;
    // No unit is subnormal: arithmetic with such numbers takes a hundred times as long.
    const int least = std::max(precision.least_exponent, 1 - bias);
    const int exponent =
        std::max(is_usual ? exponent_bits - bias - (precision.digits - 1) : least, least);
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + bias) << digits);
}

double largest_magnitude(std::span<const double> values) {
    double largest = 0;
    for (const double value : values) {
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    }
    return largest;
}

}  // namespace pegen::evidence

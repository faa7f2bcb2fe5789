#include "pegen/core/element.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

static_assert(std::endian::native == std::endian::little, "tables are little-endian in memory");

namespace pegen {
namespace {

/// `value` rounded to nearest even with `precision` significant bits and exponents not below
/// `smallest_exponent` (subnormals share its spacing).
double round_to_precision(double value, int precision, int smallest_exponent) {
    if (value == 0 || !std::isfinite(value)) return value;
    const int exponent = std::max(std::ilogb(value), smallest_exponent);
    const int shift = precision - 1 - exponent;
    return std::ldexp(std::nearbyint(std::ldexp(value, shift)), -shift);
}

}  // namespace

template <>
float16 round_to<float16>(double value) {
    const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
    const auto with_sign = [&](unsigned magnitude) {
        return float16{static_cast<std::uint16_t>(sign | magnitude)};
    };
    if (std::isnan(value)) return with_sign(0x7e00);
    const double rounded = std::fabs(round_to_precision(value, 11, -14));
    if (rounded > 65504.0) return with_sign(0x7c00);
    if (rounded < 0x1p-14) return with_sign(static_cast<unsigned>(rounded * 0x1p24));
    const int exponent = std::ilogb(rounded);
    const auto fraction = static_cast<unsigned>(std::ldexp(rounded, 10 - exponent)) - 1024;
    return with_sign((static_cast<unsigned>(exponent + 15) << 10) + fraction);
}

template <>
bfloat16 round_to<bfloat16>(double value) {
    if (std::isnan(value)) {
        return {static_cast<std::uint16_t>(std::signbit(value) ? 0xffc0 : 0x7fc0)};
    }
    // Eight bits fit a float, so the second conversion is exact or overflows to infinity.
    const auto rounded = static_cast<float>(round_to_precision(value, 8, -126));
    return {static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(rounded) >> 16)};
}

double widen(float16 element) {
    const int exponent = (element.bits >> 10) & 0x1f;
    const int fraction = element.bits & 0x3ff;
    double magnitude = 0;
    if (exponent == 0x1f) {
        magnitude = fraction ? std::numeric_limits<double>::quiet_NaN()
                             : std::numeric_limits<double>::infinity();
    } else if (exponent == 0) {
        magnitude = fraction * 0x1p-24;
    } else {
        magnitude = std::ldexp(1024 + fraction, exponent - 25);
    }
    return std::copysign(magnitude, element.bits & 0x8000 ? -1.0 : 1.0);
}

double widen(bfloat16 element) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(element.bits) << 16);
}

void store(std::span<const double> values, DType dtype, std::span<std::byte> out) {
    assert(out.size() == values.size() * info(dtype).size);
    with_element_type(dtype, [&]<class T>(std::type_identity<T>) {
        std::byte* place = out.data();
        for (const double value : values) {
            const T element = round_to<T>(value);
            std::memcpy(place, &element, sizeof element);
            place += sizeof element;
        }
    });
}

void load(std::span<const std::byte> elements, DType dtype, std::span<double> out) {
    assert(elements.size() == out.size() * info(dtype).size);
    with_element_type(dtype, [&]<class T>(std::type_identity<T>) {
        const std::byte* place = elements.data();
        for (double& value : out) {
            T element;
            std::memcpy(&element, place, sizeof element);
            value = widen(element);
            place += sizeof element;
        }
    });
}

}  // namespace pegen

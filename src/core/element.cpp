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

/// `value` rounded to nearest, ties to even, as the bits of a type with an exponent of 8 or 5 bits,
/// on the bits of the double: `dropped` of its 52 fraction bits go, and the bias of its exponent,
/// 1023, becomes `bias`.
template <int dropped, int bias>
std::uint16_t half_bits(double value) {
    constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
    constexpr std::uint64_t one = std::uint64_t{1} << dropped;
    constexpr std::uint64_t infinity = (2 * bias + 1) * (std::uint64_t{1} << (52 - dropped));
    constexpr std::uint64_t smallest_normal = std::uint64_t{1024 - bias} << 52;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t magnitude = bits & ~sign_bit;
    std::uint64_t rounded = 0;
    if (magnitude > std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity())) {
        rounded = infinity + (std::uint64_t{1} << (51 - dropped));  // a quiet NaN
    } else if (magnitude < smallest_normal) {
        // Subnormals are multiples of their smallest: so is a sum whose last bit is worth as much.
        constexpr std::uint64_t shifter = std::uint64_t{1024 - bias + dropped} << 52;
        const double sum = std::bit_cast<double>(magnitude) + std::bit_cast<double>(shifter);
        rounded = std::bit_cast<std::uint64_t>(sum) - shifter;
    } else {
        // Adding just under half of the last bit that stays, and that bit itself, carries upwards
        // what is to be rounded up.
        const std::uint64_t carried = magnitude + (one / 2 - 1) + ((magnitude >> dropped) & 1);
        rounded = (carried >> dropped) - (std::uint64_t{1023 - bias} << (52 - dropped));
        rounded = std::min(rounded, infinity);
    }
    return static_cast<std::uint16_t>(rounded | (bits & sign_bit) >> 48);
}

}  // namespace

template <>
float16 round_to<float16>(double value) {
    return {half_bits<42, 15>(value)};
}

template <>
bfloat16 round_to<bfloat16>(double value) {
    return {half_bits<45, 127>(value)};
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

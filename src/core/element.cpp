#include "core/element.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

static_assert(std::endian::native == std::endian::little, "tables are little-endian in memory");

namespace pegen {

double widen(float16 element) {
    const int exponent = (bits(element) >> 10) & 0x1f;
    const int fraction = bits(element) & 0x3ff;
    double magnitude = 0;
    if (exponent == 0x1f) {
        magnitude = fraction ? std::numeric_limits<double>::quiet_NaN()
                             : std::numeric_limits<double>::infinity();
    } else if (exponent == 0) {
        magnitude = fraction * 0x1p-24;
    } else {
        magnitude = std::ldexp(1024 + fraction, exponent - 25);
    }
    return std::copysign(magnitude, bits(element) & 0x8000 ? -1.0 : 1.0);
}

double widen(bfloat16 element) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits(element)) << 16);
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

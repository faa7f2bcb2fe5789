#include "core/element.h"

#include <bit>
#include <cassert>
#include <cstring>

static_assert(std::endian::native == std::endian::little, "tables are little-endian in memory");

namespace pegen {

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

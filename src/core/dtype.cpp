#include "core/dtype.h"

#include <bit>
#include <cassert>
#include <cstring>

#include "core/clones.h"

namespace pegen {

static_assert(std::endian::native == std::endian::little, "tables are little-endian in memory");

namespace {

template <class T>
PEGEN_CLONES void store_all(const double* values, std::size_t count, std::byte* __restrict out) {
    for (std::size_t i = 0; i < count; ++i) {
        const T element = round_to<T>(values[i]);
        std::memcpy(out + i * sizeof element, &element, sizeof element);
    }
}

}  // namespace

void store(std::span<const double> values, DType dtype, std::span<std::byte> out) {
    assert(out.size() == values.size() * info(dtype).size);
    with_element_type(dtype, [&]<class T>(std::type_identity<T>) {
        store_all<T>(values.data(), values.size(), out.data());
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

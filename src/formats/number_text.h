#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>

#include "core/dtype.h"

namespace pegen {

/// Returns the number whose shortest decimal is also the shortest that reads back as `element`, and
/// the nearest to it among those: 65500 for the float16 65504.
double printable(float16 element);
float printable(bfloat16 element);
template <std::integral T>
T printable(T element) {
    return element;
}
template <std::floating_point T>
T printable(T element) {
    return element;
}

/// Enough characters for any number, with one to spare on each side.
inline constexpr std::size_t longest_number = 32;

/// Writes the shortest text that reads back as the same element, "nan", "inf" or "-inf", and
/// returns its end. There must be room for longest_number characters.
template <class T>
char* write_number(char* place, T element) {
    const auto number = printable(element);
    using Number = decltype(number);
    if constexpr (std::is_floating_point_v<std::remove_cv_t<Number>>) {
        // The sign of a NaN has no meaning, but to_chars would write it.
        if (std::isnan(number)) {
            std::memcpy(place, "nan", 3);
            return place + 3;
        }
    }
    return std::to_chars(place, place + longest_number, number).ptr;
}
/// Writes 0 or 1.
inline char* write_number(char* place, bool element) {
    *place = element ? '1' : '0';
    return place + 1;
}

/// Appends the elements with a comma between them. `write` writes one element, as write_number
/// does.
template <class T, class Write>
void append_elements(std::span<const std::byte> elements, Write write, std::string& out) {
    std::array<char, 4096> text;
    char* const full = text.data() + text.size() - longest_number - 1;
    char* place = text.data();
    const std::size_t count = elements.size() / sizeof(T);
    for (std::size_t i = 0; i < count; ++i) {
        T element;
        std::memcpy(&element, elements.data() + i * sizeof(T), sizeof(T));
        if (i > 0) *place++ = ',';
        place = write(place, element);
        if (place >= full) {
            out.append(text.data(), place);
            place = text.data();
        }
    }
    out.append(text.data(), place);
}

}  // namespace pegen

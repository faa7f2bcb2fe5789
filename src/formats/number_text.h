#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>

#include "core/dtype.h"
#include "formats/shortest_text.h"

namespace pegen {

/// Returns the number whose shortest decimal is also the shortest that reads back as `element`, and
/// the nearest to `element` among equally short ones: 65500 for the float16 65504.
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

/// Texts of elements, found a block at a time: for each element the shortest text that reads back
/// as it, "nan", "inf" or "-inf"; for a bool 0 or 1.
template <class T>
class NumberTexts {
  public:
    static constexpr std::size_t most = ShortestTexts<float>::most;

    /// Reads at most `most` elements.
    void read(std::span<const std::byte> block) {
        std::memcpy(elements_.data(), block.data(), block.size());
        const std::size_t count = block.size() / sizeof(T);
        if constexpr (is_floating) {
            for (std::size_t i = 0; i < count; ++i) numbers_[i] = printable(elements_[i]);
            texts_.read(std::span(numbers_).first(count));
        }
    }

    T element(std::size_t i) const { return elements_[i]; }

    /// Writes the element at index `i` and returns the end of its text. There must be room for
    /// longest_number characters; those after the end may be overwritten.
    char* write(char* place, std::size_t i) const {
        if constexpr (is_floating) {
            return texts_.write(place, i);
        } else if constexpr (std::is_same_v<T, bool>) {
            *place = elements_[i] ? '1' : '0';
            return place + 1;
        } else {
            return std::to_chars(place, place + longest_number, elements_[i]).ptr;
        }
    }

  private:
    using Number = decltype(printable(T{}));
    static constexpr bool is_floating = std::is_floating_point_v<Number>;
    struct Nothing {};

    std::array<T, most> elements_;
    std::conditional_t<is_floating, std::array<Number, most>, Nothing> numbers_;
    std::conditional_t<is_floating, ShortestTexts<Number>, Nothing> texts_;
};

/// Writes one element as NumberTexts does, and returns the end of its text. There must be room for
/// longest_number characters.
template <class T>
char* write_number(char* place, T element) {
    NumberTexts<T> texts;
    texts.read(std::as_bytes(std::span(&element, 1)));
    return texts.write(place, 0);
}

/// Appends the elements with a comma between them. `amend(place, end, element)` may change the text
/// of an element, which reaches from `place` to `end`, and returns the new end of the text.
template <class T, class Amend>
void append_elements(std::span<const std::byte> elements, Amend amend, std::string& out) {
    std::array<char, 4096> text;
    char* const full = text.data() + text.size() - longest_number - 1;
    char* place = text.data();
    NumberTexts<T> texts;
    for (std::size_t first = 0; first < elements.size(); first += texts.most * sizeof(T)) {
        const std::size_t size = std::min(elements.size() - first, texts.most * sizeof(T));
        texts.read(elements.subspan(first, size));
        for (std::size_t i = 0; i < size / sizeof(T); ++i) {
            if (first + i > 0) *place++ = ',';
            place = amend(place, texts.write(place, i), texts.element(i));
            if (place >= full) {
                out.append(text.data(), place);
                place = text.data();
            }
        }
    }
    out.append(text.data(), place);
}

}  // namespace pegen

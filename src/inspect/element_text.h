#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/table.h"
#include "formats/number_text.h"

namespace pegen {

/// Returns the shortest text that reads back as the same element; "nan", "inf", "-inf".
template <class T>
std::string element_text(T element) {
    std::array<char, longest_number> text;
    return {text.data(), write_number(text.data(), element)};
}

/// Returns the text of the `element`-th value in C order. Reads the row of this value.
std::string element_text(const Table& table, std::int64_t element);

}  // namespace pegen

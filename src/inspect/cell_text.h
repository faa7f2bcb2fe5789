#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/shape.h"
#include "core/table.h"
#include "formats/number_text.h"

namespace pegen {

/// Returns the index along each axis of the cell that `at` names, counted from 0. `at` holds these
/// indices or, in place of the index of a point of a grid, the indices along the grid's own axes:
/// Y,X.
/// Throws: UsageError about --at if these are not indices of the table.
std::vector<std::int64_t> cell_index(const Shape& shape, const std::vector<Axis>& axes,
                                     std::span<const std::int64_t> at);

/// Returns where the cell with these indices is in C order; nothing if the table has no such cell.
/// Precondition: no index is negative.
std::optional<std::int64_t> element_at(const Shape& shape, std::span<const std::int64_t> index);

/// Returns the meaning of an index: its position, "7", the point of a grid, "3,5", or the name,
/// "cos"; "" for rows before the first position, and for other axes.
std::string stands_for(const Axis& axis, std::int64_t index);

/// Returns the name of an index for texts in which indices and positions must not be mixed up:
/// "channel 3", "position 7 (index 5)".
std::string index_text(std::string_view axis, std::int64_t index, std::string_view stands_for);

/// Returns the shortest text that reads back as the same element; "nan", "inf", "-inf".
template <class T>
std::string element_text(T element) {
    std::array<char, longest_number> text;
    return {text.data(), write_number(text.data(), element)};
}

/// Returns the text of the `element`-th value in C order. Reads the row of this value.
std::string element_text(const Table& table, std::int64_t element);

}  // namespace pegen

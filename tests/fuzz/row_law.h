#pragma once

#include <algorithm>
#include <vector>

#include "core/table.h"
#include "fuzz_target.h"

namespace pegen::fuzz {

inline std::vector<std::byte> rows_of(const Table& table, RowRange range) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(range.count * row_bytes(table)));
    table.rows(range, bytes);
    return bytes;
}

/// Aborts unless rows are the same one by one and together, and bools are 0 or 1.
inline void check_rows(const Table& table) {
    constexpr std::int64_t most = 512;
    const std::int64_t count = std::min(table.shape.rows(), most);
    const std::vector<std::byte> together = rows_of(table, {0, count});
    for (std::int64_t row = 0; row < count; ++row) {
        const std::vector<std::byte> alone = rows_of(table, {row, 1});
        require(std::equal(alone.begin(), alone.end(), together.begin() + row * row_bytes(table)));
    }
    if (table.dtype != DType::boolean) return;
    require(
        std::ranges::all_of(together, [](std::byte element) { return element <= std::byte{1}; }));
}

}  // namespace pegen::fuzz

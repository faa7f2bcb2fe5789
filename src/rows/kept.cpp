#include "rows/kept.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "core/parallel.h"
#include "core/to_size.h"

namespace pegen::rows {

RowSource kept(const Table& table) {
    constexpr std::int64_t values_at_once = 1 << 14;
    const std::int64_t rows = table.shape.rows(), bytes = row_bytes(table);
    const std::int64_t at_once = rows_holding(values_at_once, table.shape.columns());
    const auto all = std::make_shared<std::vector<std::byte>>(to_size(total_bytes(table)));
    const auto part = [=](RowRange range) {
        return std::span(*all).subspan(to_size(range.first * bytes), to_size(range.count * bytes));
    };
    parallel_for((rows + at_once - 1) / at_once, [&](std::int64_t block) {
        const std::int64_t first = block * at_once;
        const RowRange range{first, std::min(at_once, rows - first)};
        table.rows(range, part(range));
    });
    return [=](RowRange range, std::span<std::byte> out) {
        std::ranges::copy(part(range), out.begin());
    };
}

}  // namespace pegen::rows

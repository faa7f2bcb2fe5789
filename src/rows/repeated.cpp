#include "rows/repeated.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/to_size.h"

namespace pegen::rows {

RowSource repeated(RowSource source, std::int64_t bytes_per_row, std::int64_t count) {
    if (count == 1) return source;
    return [=, source = std::move(source)](RowRange range, std::span<std::byte> out) {
        const std::int64_t first = range.first / count,
                           end = (range.first + range.count + count - 1) / count;
        std::vector<std::byte> rows(to_size((end - first) * bytes_per_row));
        source({first, end - first}, rows);
        std::byte* place = out.data();
        for (std::int64_t row = range.first; row < range.first + range.count; ++row) {
            const auto from = rows.begin() + (row / count - first) * bytes_per_row;
            place = std::copy_n(from, bytes_per_row, place);
        }
    };
}

}  // namespace pegen::rows

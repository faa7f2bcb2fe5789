#include "rows/stacked.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/to_size.h"

namespace pegen::rows {

RowSource stacked(std::vector<RowSource> sources, std::int64_t rows, std::int64_t bytes_per_row) {
    // Shared, since a copy of a source may be anything but small.
    const auto shared = std::make_shared<const std::vector<RowSource>>(std::move(sources));
    return [=](RowRange range, std::span<std::byte> out) {
        const std::int64_t end = range.first + range.count;
        for (std::int64_t row = range.first; row < end;) {
            const std::int64_t first = row % rows;
            const std::int64_t count = std::min(end - row, rows - first);
            const std::size_t bytes = to_size(count * bytes_per_row);
            (*shared)[to_size(row / rows)]({first, count}, out.first(bytes));
            out = out.subspan(bytes);
            row += count;
        }
    };
}

}  // namespace pegen::rows

#include "rows/side_by_side.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/to_size.h"

namespace pegen::rows {

RowSource side_by_side(std::vector<Columns> parts) {
    std::int64_t bytes_per_row = 0, widest = 0;
    for (const Columns& part : parts) {
        bytes_per_row += part.bytes_per_row;
        widest = std::max(widest, part.bytes_per_row);
    }
    // Rows of a part are made a few at a time, so that they stay in the cache.
    const std::int64_t at_once = rows_holding(1 << 16, widest);
    return [=, parts = std::move(parts)](RowRange range, std::span<std::byte> out) {
        std::vector<std::byte> some(to_size(std::min(at_once, range.count) * widest));
        for (std::int64_t done = 0; done < range.count; done += at_once) {
            const std::int64_t count = std::min(at_once, range.count - done);
            std::byte* column = out.data() + done * bytes_per_row;
            for (const Columns& part : parts) {
                part.rows({range.first + done, count},
                          std::span(some).first(to_size(count * part.bytes_per_row)));
                for (std::int64_t i = 0; i < count; ++i) {
                    std::memcpy(column + i * bytes_per_row, some.data() + i * part.bytes_per_row,
                                to_size(part.bytes_per_row));
                }
                column += part.bytes_per_row;
            }
        }
    };
}

}  // namespace pegen::rows

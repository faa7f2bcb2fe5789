#include "rows/zero_rows.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/to_size.h"

namespace pegen::rows {

RowSource with_zero_rows_before(RowSource source, std::int64_t count, std::int64_t bytes_per_row) {
    return [=, source = std::move(source)](RowRange range, std::span<std::byte> out) {
        const std::int64_t zeros = std::clamp<std::int64_t>(count - range.first, 0, range.count);
        const std::size_t zero_bytes = to_size(zeros * bytes_per_row);
        std::memset(out.data(), 0, zero_bytes);
        if (zeros < range.count) {
            source({range.first + zeros - count, range.count - zeros}, out.subspan(zero_bytes));
        }
    };
}

RowSource with_zero_row(RowSource source, std::int64_t row, std::int64_t bytes_per_row) {
    return [=, source = std::move(source)](RowRange range, std::span<std::byte> out) {
        source(range, out);
        if (row >= range.first && row < range.first + range.count) {
            std::memset(out.data() + (row - range.first) * bytes_per_row, 0,
                        to_size(bytes_per_row));
        }
    };
}

}  // namespace pegen::rows

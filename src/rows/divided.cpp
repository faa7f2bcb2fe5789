#include "rows/divided.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/to_size.h"

namespace pegen::rows {

RowSource divided(RowSource source, std::int64_t parts, std::int64_t row_bytes) {
    return [=, source = std::move(source)](RowRange range, std::span<std::byte> out) {
        const std::int64_t first = range.first / parts;
        const std::int64_t end = (range.first + range.count + parts - 1) / parts;
        const std::int64_t skipped = range.first - first * parts;
        if (skipped == 0 && (end - first) * parts == range.count) {
            source({first, end - first}, out);
            return;
        }
        std::vector<std::byte> whole(to_size((end - first) * row_bytes));
        source({first, end - first}, whole);
        std::copy_n(whole.begin() + skipped * (row_bytes / parts), out.size(), out.begin());
    };
}

}  // namespace pegen::rows

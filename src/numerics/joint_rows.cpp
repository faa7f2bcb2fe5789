#include "numerics/joint_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/to_size.h"

namespace pegen::numerics {

RowSource stacked(JointRowSource source, std::int64_t tables, std::int64_t rows) {
    return [source = std::move(source), tables, rows](RowRange range, std::span<std::byte> out) {
        if (range.count == 0) return;
        const std::size_t row_bytes = out.size() / to_size(range.count);
        while (range.count > 0) {
            const std::int64_t first = range.first % rows;
            const std::int64_t count = std::min(range.count, rows - first);
            std::vector<std::span<std::byte>> parts(to_size(tables));
            parts[to_size(range.first / rows)] = out.first(to_size(count) * row_bytes);
            source({first, count}, parts);
            out = out.subspan(to_size(count) * row_bytes);
            range = {range.first + count, range.count - count};
        }
    };
}

}  // namespace pegen::numerics

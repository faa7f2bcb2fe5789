#include "cli/explore/cell_index.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"

namespace pegen::cli {

void check_cell(const Table& table, std::span<const std::int64_t> at) {
    const std::vector<std::int64_t>& extents = table.shape.extents();
    bool is_inside = at.size() == extents.size();
    for (std::size_t i = 0; is_inside && i < at.size(); ++i) {
        is_inside = at[i] >= 0 && at[i] < extents[i];
    }
    if (is_inside) return;
    throw UsageError(fmt::format("--at {}: must be an index for each axis of shape {}, from 0 on",
                                 fmt::join(at, ","), to_string(table.shape)));
}

}  // namespace pegen::cli

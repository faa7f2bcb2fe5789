#include "rows/merged.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "core/clones.h"
#include "core/to_size.h"

namespace pegen::rows {
namespace {

PEGEN_CLONES void merge(const std::byte* __restrict from, std::size_t count,
                        std::byte* __restrict to) {
    for (std::size_t i = 0; i < count; ++i) to[i] |= from[i];
}

}  // namespace

void merge_into(std::span<std::byte> rows, std::span<const std::byte> more) {
    for (std::size_t first = 0; first < rows.size(); first += more.size()) {
        merge(more.data(), more.size(), rows.data() + first);
    }
}

RowSource merged(std::vector<RowSource> sources) {
    if (sources.size() == 1) return std::move(sources.front());
    return [sources = std::move(sources)](RowRange range, std::span<std::byte> out) {
        if (range.count == 0) return;
        const std::int64_t bytes_per_row = std::ssize(out) / range.count;
        // Rows are made a few at a time, so that they stay in the cache.
        const std::int64_t at_once = rows_holding(1 << 15, bytes_per_row);
        std::vector<std::byte> more(to_size(std::min(at_once, range.count) * bytes_per_row));
        for (std::int64_t done = 0; done < range.count; done += at_once) {
            const RowRange some{range.first + done, std::min(at_once, range.count - done)};
            const auto rows = out.first(to_size(some.count * bytes_per_row));
            const auto others = std::span(more).first(rows.size());
            out = out.subspan(rows.size());
            sources.front()(some, rows);
            for (const RowSource& source : std::span(sources).subspan(1)) {
                source(some, others);
                merge_into(rows, others);
            }
        }
    };
}

}  // namespace pegen::rows

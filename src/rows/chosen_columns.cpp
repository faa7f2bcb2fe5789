#include "rows/chosen_columns.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/to_size.h"

namespace pegen::rows {
namespace {

/// A run of columns that follow each other, which are moved at once.
struct Run {
    std::int64_t from;
    std::int64_t to;
    std::int64_t count;
};

std::vector<Run> runs_of(const std::vector<std::int64_t>& chosen) {
    std::vector<Run> runs;
    for (std::int64_t i = 0; i < std::ssize(chosen); ++i) {
        const std::int64_t from = chosen[to_size(i)];
        if (!runs.empty() && runs.back().from + runs.back().count == from) {
            ++runs.back().count;
        } else {
            runs.push_back({from, i, 1});
        }
    }
    return runs;
}

}  // namespace

RowSource chosen_columns(RowSource rows, std::int64_t columns, std::vector<std::int64_t> chosen,
                         std::size_t element_bytes) {
    const std::size_t from_bytes = to_size(columns) * element_bytes;
    const std::size_t to_bytes = chosen.size() * element_bytes;
    // Whole rows are made a few at a time, so that they stay in the cache.
    const std::int64_t at_once = rows_holding(1 << 14, columns);
    return [=, rows = std::move(rows), runs = runs_of(chosen)](RowRange range,
                                                               std::span<std::byte> out) {
        std::vector<std::byte> whole(to_size(std::min(at_once, range.count)) * from_bytes);
        for (std::int64_t done = 0; done < range.count; done += at_once) {
            const std::int64_t count = std::min(at_once, range.count - done);
            rows({range.first + done, count}, std::span(whole).first(to_size(count) * from_bytes));
            for (std::int64_t i = 0; i < count; ++i) {
                const std::byte* const from = whole.data() + to_size(i) * from_bytes;
                std::byte* const to = out.data() + to_size(done + i) * to_bytes;
                for (const Run& run : runs) {
                    std::memcpy(to + to_size(run.to) * element_bytes,
                                from + to_size(run.from) * element_bytes,
                                to_size(run.count) * element_bytes);
                }
            }
        }
    };
}

}  // namespace pegen::rows

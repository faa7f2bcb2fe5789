#include "rows/by_distance.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "core/element.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/reporting.h"
#include "core/to_size.h"

namespace pegen::rows {
namespace {

/// Returns a table (heads, queries, keys): row (head, query) is `size.keys` columns of row `head`
/// of `line`, a table (heads, columns), from column first_of(query) on.
template <class FirstOf>
RowSource parts_of_lines(const RowSource& line, std::int64_t heads, std::int64_t columns,
                         AttentionSize size, std::int64_t bytes_per_element,
                         const FirstOf& first_of) {
    const std::int64_t line_bytes = columns * bytes_per_element;
    const auto values = std::make_shared<std::vector<std::byte>>(to_size(heads * line_bytes));
    std::atomic<std::int64_t> done = 0;
    parallel_for(heads, [&](std::int64_t head) {
        line({head, 1},
             std::span(*values).subspan(to_size(head * line_bytes), to_size(line_bytes)));
        report(++done, heads);
    });
    return [=, shared = std::shared_ptr<const std::vector<std::byte>>(values)](
               RowRange range, std::span<std::byte> out) {
        const std::int64_t row_bytes = size.keys * bytes_per_element;
        for (std::int64_t i = 0; i < range.count; ++i) {
            const std::int64_t head = (range.first + i) / size.queries;
            const std::int64_t query = (range.first + i) % size.queries;
            std::memcpy(out.data() + i * row_bytes,
                        shared->data() + head * line_bytes + first_of(query) * bytes_per_element,
                        to_size(row_bytes));
        }
    };
}

}  // namespace

RowSource by_distance(const RowSource& line, std::int64_t heads, AttentionSize size,
                      std::int64_t bytes_per_element) {
    // Seen from the last query, key 0 has the smallest distance: the start of the line.
    return parts_of_lines(line, heads, size.distances(), size, bytes_per_element,
                          [=](std::int64_t query) { return size.queries - 1 - query; });
}

RowSource by_key(const RowSource& line, std::int64_t heads, AttentionSize size,
                 std::int64_t bytes_per_element) {
    return parts_of_lines(line, heads, size.keys, size, bytes_per_element,
                          [](std::int64_t) { return 0; });
}

RowSource causal(RowSource source, AttentionSize size, DType dtype) {
    if (!is_floating(dtype)) {
        throw UsageError(fmt::format("--dtype {}: has no infinity for the keys after a query",
                                     info(dtype).name));
    }
    return [=, source = std::move(source)](RowRange range, std::span<std::byte> out) {
        source(range, out);
        with_element_type(dtype, [&]<class T>(std::type_identity<T>) {
            const T hidden = round_to<T>(-std::numeric_limits<double>::infinity());
            T* const elements = reinterpret_cast<T*>(out.data());
            for (std::int64_t i = 0; i < range.count; ++i) {
                const std::int64_t seen = size.seen_by((range.first + i) % size.queries);
                std::fill(elements + i * size.keys + std::clamp<std::int64_t>(seen, 0, size.keys),
                          elements + (i + 1) * size.keys, hidden);
            }
        });
    };
}

}  // namespace pegen::rows

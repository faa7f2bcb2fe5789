#include "rows/by_distance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "core/dtype.h"
#include "core/error.h"

namespace pegen::rows {
namespace {

/// Returns a table (heads, queries, columns): row (head, query) is `columns` columns of row `head`
/// of `line` from column first_of(query) on.
template <class FirstOf>
Rows parts_of_lines(const Rows& line, std::int64_t queries, std::int64_t columns,
                    const FirstOf& first_of) {
    const auto element = static_cast<std::int64_t>(info(line.dtype()).size);
    return {[=, line_bytes = line.bytes_per_row(), values = elements_of(line)](
                RowRange range, std::span<std::byte> out) {
                const std::int64_t row_bytes = columns * element;
                for (std::int64_t i = 0; i < range.count; ++i) {
                    const std::int64_t head = (range.first + i) / queries;
                    const std::int64_t query = (range.first + i) % queries;
                    std::memcpy(out.data() + i * row_bytes,
                                values->data() + head * line_bytes + first_of(query) * element,
                                row_bytes);
                }
            },
            line.count() * queries, columns, line.dtype()};
}

}  // namespace

Rows by_distance(const Rows& line, AttentionSize size) {
    const std::int64_t channels = line.columns() / size.distances();
    // Seen from the last query, key 0 has the smallest distance: the start of the line.
    return parts_of_lines(line, size.queries, size.keys * channels, [=](std::int64_t query) {
        return (size.queries - 1 - query) * channels;
    });
}

Rows by_key(const Rows& line, AttentionSize size) {
    return parts_of_lines(line, size.queries, size.keys, [](std::int64_t) { return 0; });
}

RealRows gathered_by_head(RealRows index, KeptRows weights, std::int64_t heads) {
    const std::int64_t rows = index.count, columns = index.columns;
    return {[=, index = std::move(index.fill), weights = std::move(weights)](
                RowRange range, std::span<double> out) {
                for (std::int64_t i = 0; i < range.count; ++i) {
                    const std::int64_t head = (range.first + i) / rows;
                    const std::span<double> row = out.subspan(i * columns, columns);
                    index({(range.first + i) % rows, 1}, row);
                    for (double& value : row) {
                        const std::int64_t place = static_cast<std::int64_t>(value) * heads + head;
                        value = (*weights)[place < 0 ? place + std::ssize(*weights) : place];
                    }
                }
            },
            heads * rows, columns};
}

Rows causal(const Rows& rows, AttentionSize size) {
    if (!is_floating(rows.dtype())) {
        throw UsageError(fmt::format("--dtype {}: has no infinity for the keys after a query",
                                     info(rows.dtype()).name));
    }
    return rows_like(rows, [=](RowRange range, std::span<std::byte> out) {
        rows(range, out);
        with_element_type(rows.dtype(), [&]<class T>(std::type_identity<T>) {
            const T hidden = round_to<T>(-std::numeric_limits<double>::infinity());
            T* const elements = reinterpret_cast<T*>(out.data());
            for (std::int64_t i = 0; i < range.count; ++i) {
                const std::int64_t seen = size.seen_by((range.first + i) % size.queries);
                std::fill(elements + i * size.keys + std::clamp<std::int64_t>(seen, 0, size.keys),
                          elements + (i + 1) * size.keys, hidden);
            }
        });
    });
}

}  // namespace pegen::rows

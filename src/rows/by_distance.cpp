#include "rows/by_distance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "core/element.h"
#include "core/error.h"
#include "core/to_size.h"

namespace pegen::rows {

RowSource by_distance(const RowSource& line, std::int64_t heads, AttentionSize size,
                      std::int64_t bytes_per_element) {
    const std::int64_t line_bytes = size.distances() * bytes_per_element;
    const auto values = std::make_shared<std::vector<std::byte>>(to_size(heads * line_bytes));
    line({0, heads}, *values);
    return [=, shared = std::shared_ptr<const std::vector<std::byte>>(values)](
               RowRange range, std::span<std::byte> out) {
        const std::int64_t row_bytes = size.keys * bytes_per_element;
        for (std::int64_t i = 0; i < range.count; ++i) {
            const std::int64_t head = (range.first + i) / size.queries;
            const std::int64_t query = (range.first + i) % size.queries;
            // Seen from the last query, key 0 has the smallest distance: the start of the line.
            const std::int64_t first = size.queries - 1 - query;
            std::memcpy(out.data() + i * row_bytes,
                        shared->data() + head * line_bytes + first * bytes_per_element,
                        to_size(row_bytes));
        }
    };
}

RealRowSource scaled_by_head(RealRowSource line, std::vector<double> factors) {
    return [line = std::move(line), factors = std::move(factors)](RowRange range,
                                                                  std::span<double> out) {
        const std::size_t columns = out.size() / to_size(range.count);
        for (std::int64_t i = 0; i < range.count; ++i) {
            const std::span<double> row = out.subspan(to_size(i) * columns, columns);
            line({0, 1}, row);
            for (double& value : row) value *= factors[to_size(range.first + i)];
        }
    };
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
                const std::int64_t query = (range.first + i) % size.queries;
                const std::int64_t seen = query + size.keys - size.queries + 1;
                std::fill(elements + i * size.keys + std::clamp<std::int64_t>(seen, 0, size.keys),
                          elements + (i + 1) * size.keys, hidden);
            }
        });
    };
}

}  // namespace pegen::rows

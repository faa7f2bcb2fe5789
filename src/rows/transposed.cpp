#include "rows/transposed.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "core/element.h"
#include "core/parallel.h"
#include "core/to_size.h"

namespace pegen::rows {

RowSource transposed(const RowSource& table, std::int64_t rows, std::int64_t columns, DType dtype) {
    // Rows read at a time, so that they stay in the cache.
    const std::int64_t at_once = rows_holding(1 << 15, columns);
    const std::size_t element = info(dtype).size;
    const auto all = std::make_shared<std::vector<std::byte>>(to_size(rows * columns) * element);
    parallel_for((rows + at_once - 1) / at_once, [&](std::int64_t block) {
        const RowRange range{block * at_once, std::min(at_once, rows - block * at_once)};
        std::vector<std::byte> some(to_size(range.count * columns) * element);
        table(range, some);
        with_element_type(dtype, [&]<class T>(std::type_identity<T>) {
            const T* const from = reinterpret_cast<const T*>(some.data());
            T* const to = reinterpret_cast<T*>(all->data()) + range.first;
            for (std::int64_t c = 0; c < columns; ++c) {
                for (std::int64_t r = 0; r < range.count; ++r)
                    to[c * rows + r] = from[r * columns + c];
            }
        });
    });
    return [all, bytes = to_size(rows) * element](RowRange range, std::span<std::byte> out) {
        std::memcpy(out.data(), all->data() + to_size(range.first) * bytes, out.size());
    };
}

}  // namespace pegen::rows

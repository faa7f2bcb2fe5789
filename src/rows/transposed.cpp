#include "rows/transposed.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

#include "core/element.h"
#include "core/parallel.h"
#include "core/reporting.h"
#include "core/to_size.h"

namespace pegen::rows {
namespace {

/// Transposes: columns[column][range.first + i] = some[i][column].
template <class T>
void transpose(const T* some, RowRange range, std::int64_t rows, std::int64_t columns, T* out) {
    for (std::int64_t column = 0; column < columns; ++column) {
        T* const to = out + column * rows + range.first;
        for (std::int64_t i = 0; i < range.count; ++i) to[i] = some[i * columns + column];
    }
}

}  // namespace

std::vector<std::byte> columns_of(const RowSource& table, std::int64_t rows, std::int64_t columns,
                                  DType dtype) {
    // As many values are read at a time as stay in the L2 cache while they are transposed.
    const std::int64_t at_once = rows_holding(1 << 16, columns);
    const std::size_t element = info(dtype).size;
    std::vector<std::byte> all(to_size(rows * columns) * element);
    std::atomic<std::int64_t> done = 0;
    parallel_for((rows + at_once - 1) / at_once, [&](std::int64_t block) {
        const RowRange range{block * at_once, std::min(at_once, rows - block * at_once)};
        std::vector<std::byte> some(to_size(range.count * columns) * element);
        table(range, some);
        with_element_type(dtype, [&]<class T>(std::type_identity<T>) {
            transpose(reinterpret_cast<const T*>(some.data()), range, rows, columns,
                      reinterpret_cast<T*>(all.data()));
        });
        report(done += range.count, rows);
    });
    return all;
}

RowSource transposed(const RowSource& table, std::int64_t rows, std::int64_t columns, DType dtype) {
    const auto all =
        std::make_shared<const std::vector<std::byte>>(columns_of(table, rows, columns, dtype));
    return
        [all, bytes = to_size(rows) * info(dtype).size](RowRange range, std::span<std::byte> out) {
            std::memcpy(out.data(), all->data() + to_size(range.first) * bytes, out.size());
        };
}

}  // namespace pegen::rows

#include "rows/permuted.h"

#include <cstring>
#include <memory>
#include <utility>

#include "core/to_size.h"
#include "rows/axis_table.h"

namespace pegen::rows {
namespace {

/// Returns the number of rows from one index of `axis` to the next.
std::int64_t rows_per_index(const Shape& shape, int axis) {
    std::int64_t rows = 1;
    for (int inner = axis + 1; inner < shape.rank() - 1; ++inner) rows *= shape[inner];
    return rows;
}

RowSource permuted_rows(const Table& x, std::int64_t stride, std::vector<std::int64_t> order) {
    const std::int64_t bytes = row_bytes(x);
    const auto source = std::make_shared<const AxisTable>(x.rows, x.shape.rows(), bytes);
    return [=, order = std::move(order)](RowRange range, std::span<std::byte> out) {
        AxisReader reader(*source);
        const std::int64_t block = std::ssize(order);
        for (std::int64_t i = 0; i < range.count; ++i) {
            const std::int64_t index = (range.first + i) / stride;
            const std::int64_t from = index - index % block + order[to_size(index % block)];
            std::memcpy(out.data() + i * bytes,
                        reader.row(from * stride + (range.first + i) % stride, 1), to_size(bytes));
        }
    };
}

RowSource permuted_columns(const Table& x, std::vector<std::int64_t> order) {
    const std::size_t element = info(x.dtype).size;
    return
        [=, source = x.rows, order = std::move(order)](RowRange range, std::span<std::byte> out) {
            std::vector<std::byte> rows(out.size());
            source(range, rows);
            const std::size_t block = order.size() * element;
            for (std::size_t first = 0; first < rows.size(); first += block) {
                for (std::size_t i = 0; i < order.size(); ++i) {
                    std::memcpy(out.data() + first + i * element,
                                rows.data() + first + to_size(order[i]) * element, element);
                }
            }
        };
}

}  // namespace

RowSource permuted(const Table& x, int axis, std::vector<std::int64_t> order) {
    const bool is_columns = x.shape.rank() > 1 && axis == x.shape.rank() - 1;
    if (is_columns || x.shape.size() == 0) return permuted_columns(x, std::move(order));
    return permuted_rows(x, rows_per_index(x.shape, axis), std::move(order));
}

}  // namespace pegen::rows

#include "rows/as_float64.h"

#include <utility>
#include <vector>

#include "core/element.h"
#include "core/to_size.h"

namespace pegen::rows {

Table as_float64(Table table) {
    const std::int64_t bytes_per_row = row_bytes(table);
    table.rows = [bytes_per_row, dtype = table.dtype, rows = std::move(table.rows)](
                     RowRange range, std::span<std::byte> out) {
        std::vector<std::byte> stored(to_size(range.count * bytes_per_row));
        rows(range, stored);
        load(stored, dtype, {reinterpret_cast<double*>(out.data()), out.size() / sizeof(double)});
    };
    table.dtype = DType::float64;
    return table;
}

RowSource rounded(RowSource float64, std::int64_t columns, DType dtype) {
    return pegen::rounded(
        [float64 = std::move(float64)](RowRange range, std::span<double> out) {
            float64(range, std::as_writable_bytes(out));
        },
        columns, dtype);
}

}  // namespace pegen::rows

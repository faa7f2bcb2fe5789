#include "rows/split.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/to_size.h"

namespace pegen::rows {

Table split(const Table& table, std::int64_t parts) {
    if (parts == 1) return table;
    Table result = table;
    std::vector<std::int64_t> extents = table.shape.extents();
    extents.pop_back();
    extents.insert(extents.end(), {parts, table.shape.columns() / parts});
    result.shape = Shape(extents);
    result.axes.insert(result.axes.end() - 1, Axis{});
    result.rows = [=, source = table.rows, bytes = row_bytes(result)](RowRange range,
                                                                      std::span<std::byte> out) {
        const std::int64_t first = range.first / parts,
                           end = (range.first + range.count + parts - 1) / parts;
        std::vector<std::byte> rows(to_size((end - first) * parts * bytes));
        source({first, end - first}, rows);
        std::copy_n(rows.begin() + (range.first - first * parts) * bytes, range.count * bytes,
                    out.begin());
    };
    return result;
}

RowSource joined(RowSource source, std::int64_t parts) {
    if (parts == 1) return source;
    return [=, source = std::move(source)](RowRange range, std::span<std::byte> out) {
        source({range.first * parts, range.count * parts}, out);
    };
}

}  // namespace pegen::rows

#include "core/table.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/element.h"
#include "core/to_size.h"

namespace pegen {
namespace {

/// The number of doubles that are rounded at a time: as many short rows as stay in the L1 cache. A
/// longer row is rounded whole.
constexpr std::int64_t scratch_values = 2048;

}  // namespace

bool is_whole(const Table& table) { return !is_floating(table.dtype) || table.has_whole_values; }

std::int64_t row_bytes(const Table& table) {
    return checked_product(table.shape.columns(), static_cast<std::int64_t>(info(table.dtype).size),
                           "a row in bytes");
}

std::int64_t total_bytes(const Table& table) {
    return checked_product(table.shape.rows(), row_bytes(table), "the table in bytes");
}

std::int64_t rows_holding(std::int64_t values, std::int64_t columns) {
    return std::max<std::int64_t>(1, values / std::max<std::int64_t>(1, columns));
}

std::vector<double> read_rows(const Table& table, RowRange range) {
    std::vector<std::byte> bytes(
        to_size(checked_product(range.count, row_bytes(table), "the rows in bytes")));
    table.rows(range, bytes);
    std::vector<double> values(to_size(range.count * table.shape.columns()));
    load(bytes, table.dtype, values);
    return values;
}

double read_value(const Table& table, std::int64_t element) {
    const std::int64_t columns = table.shape.columns();
    return read_rows(table, {element / columns, 1})[to_size(element % columns)];
}

RowSource rounded(RealRowSource source, std::int64_t columns, DType dtype) {
    const std::int64_t rows_at_once = rows_holding(scratch_values, columns);
    return [=, source = std::move(source)](RowRange range, std::span<std::byte> out) {
        std::vector<double> values(to_size(std::min(rows_at_once, range.count) * columns));
        const std::size_t element = info(dtype).size;
        for (std::int64_t done = 0; done < range.count; done += rows_at_once) {
            const std::int64_t count = std::min(rows_at_once, range.count - done);
            const std::span some(values.data(), to_size(count * columns));
            source({range.first + done, count}, some);
            store(some, dtype,
                  out.subspan(to_size(done * columns) * element, some.size() * element));
        }
    };
}

}  // namespace pegen

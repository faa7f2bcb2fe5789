#include "core/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/dtype.h"
#include "core/error.h"

namespace pegen {
namespace {

/// The number of doubles that are rounded at a time: as many short rows as stay in the L1 cache. A
/// longer row is rounded whole.
constexpr std::int64_t scratch_values = 2048;

std::int64_t row_bytes(std::int64_t columns, DType dtype) {
    return checked_product(columns, static_cast<std::int64_t>(info(dtype).size), "a row in bytes");
}

}  // namespace

Rows::Rows(RowSource fill, std::int64_t count, std::int64_t columns, DType dtype)
    : fill_(std::make_shared<const RowSource>(std::move(fill))),
      count_(count),
      columns_(columns),
      dtype_(dtype),
      bytes_per_row_(row_bytes(columns, dtype)) {}

void Rows::operator()(RowRange range, std::span<std::byte> out) const {
    const bool are_there =
        range.first >= 0 && range.count >= 0 && range.first <= count_ - range.count;
    if (!are_there || std::ssize(out) != range.count * bytes_per_row_) {
        throw InternalError(fmt::format("{} rows from row {} in {} bytes: there are {} rows of {}",
                                        range.count, range.first, out.size(), count_,
                                        bytes_per_row_));
    }
    if (range.count > 0) (*fill_)(range, out);
}

bool is_whole(const Table& table) { return !is_floating(table.dtype) || table.has_whole_values; }

std::int64_t row_bytes(const Table& table) { return row_bytes(table.shape.columns(), table.dtype); }

std::int64_t total_bytes(const Table& table) {
    return checked_product(table.shape.rows(), row_bytes(table), "the table in bytes");
}

std::int64_t rows_holding(std::int64_t values, std::int64_t columns) {
    return std::max<std::int64_t>(1, values / std::max<std::int64_t>(1, columns));
}

std::vector<double> read_rows(const Table& table, RowRange range) {
    std::vector<std::byte> bytes(
        checked_product(range.count, row_bytes(table), "the rows in bytes"));
    table.rows(range, bytes);
    std::vector<double> values(range.count * table.shape.columns());
    load(bytes, table.dtype, values);
    return values;
}

double read_value(const Table& table, std::int64_t element) {
    const std::int64_t columns = table.shape.columns();
    return read_rows(table, {element / columns, 1})[element % columns];
}

Rows rows_like(const Rows& rows, RowSource fill) {
    return {std::move(fill), rows.count(), rows.columns(), rows.dtype()};
}

Rows rows_like(const Table& table, RowSource fill) {
    return {std::move(fill), table.shape.rows(), table.shape.columns(), table.dtype};
}

Rows rounded(RealRows rows, DType dtype) {
    const std::int64_t count = rows.count, columns = rows.columns;
    const std::int64_t rows_at_once = rows_holding(scratch_values, columns);
    RowSource fill = [=, fill = std::move(rows.fill)](RowRange range, std::span<std::byte> out) {
        std::vector<double> values(std::min(rows_at_once, range.count) * columns);
        const std::size_t element = info(dtype).size;
        for (std::int64_t done = 0; done < range.count; done += rows_at_once) {
            const std::int64_t now = std::min(rows_at_once, range.count - done);
            const std::span some(values.data(), now * columns);
            fill({range.first + done, now}, some);
            store(some, dtype, out.subspan((done * columns) * element, some.size() * element));
        }
    };
    return {std::move(fill), count, columns, dtype};
}

}  // namespace pegen

#include "recognition/identify/array.h"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "core/dtype.h"

namespace pegen::trials {

double& Array::at(std::int64_t row, std::int64_t column) {
    return values[row * columns() + column];
}

double Array::at(std::int64_t row, std::int64_t column) const {
    return values[row * columns() + column];
}

Array array_of(const Table& table) {
    return {table.shape.extents(), table.dtype, read_rows(table, {0, table.shape.rows()})};
}

Table table_of(const Array& array) {
    auto bytes =
        std::make_shared<std::vector<std::byte>>(array.values.size() * info(array.dtype).size);
    store(array.values, array.dtype, *bytes);
    Table table;
    table.shape = Shape(array.extents);
    table.dtype = array.dtype;
    table.axes.assign(array.extents.size(), Axis{});
    table.rows = rows_like(
        table, [bytes, size = row_bytes(table)](RowRange range, std::span<std::byte> out) {
            std::copy_n(bytes->begin() + range.first * size, out.size(), out.begin());
        });
    return table;
}

Array rounded_to(Array array, DType dtype) {
    std::vector<std::byte> bytes(array.values.size() * info(dtype).size);
    store(array.values, dtype, bytes);
    load(bytes, dtype, array.values);
    array.dtype = dtype;
    return array;
}

Array transposed(const Array& array) {
    Array turned{array.extents, array.dtype, {}};
    std::rotate(turned.extents.begin(), turned.extents.end() - 1, turned.extents.end());
    for (std::int64_t column = 0; column < array.columns(); ++column) {
        for (std::int64_t row = 0; row < array.rows(); ++row) {
            turned.values.push_back(array.at(row, column));
        }
    }
    return turned;
}

Array with_columns(const Array& array, const std::vector<std::int64_t>& columns) {
    Array kept{array.extents, array.dtype, {}};
    kept.extents.back() = std::ssize(columns);
    for (std::int64_t row = 0; row < array.rows(); ++row) {
        for (const std::int64_t column : columns) kept.values.push_back(array.at(row, column));
    }
    return kept;
}

Array with_rows(const Array& array, const std::vector<std::int64_t>& rows) {
    Array kept{array.extents, array.dtype, {}};
    for (const std::int64_t row : rows) {
        const auto first = array.values.begin() + row * array.columns();
        kept.values.insert(kept.values.end(), first, first + array.columns());
    }
    return kept;
}

std::vector<std::int64_t> numbers_from(std::int64_t first, std::int64_t count, std::int64_t step) {
    std::vector<std::int64_t> numbers;
    for (std::int64_t i = 0; i < count; ++i) numbers.push_back(first + i * step);
    return numbers;
}

}  // namespace pegen::trials

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/table.h"

namespace pegen::trials {

/// An array in memory, which does not say where it comes from.
struct Array {
    std::vector<std::int64_t> extents;
    DType dtype;
    std::vector<double> values;  ///< in C order

    std::int64_t rows() const { return static_cast<std::int64_t>(values.size()) / columns(); }
    std::int64_t columns() const { return extents.empty() ? 1 : extents.back(); }
    double& at(std::int64_t row, std::int64_t column);
    double at(std::int64_t row, std::int64_t column) const;
};

/// Reads all values of a table.
Array array_of(const Table& table);

/// Returns the array as a table, each value rounded to its dtype.
Table table_of(const Array& array);

/// Returns the array, read as (first axes, last axis), with rows and columns exchanged.
Array transposed(const Array& array);

/// Returns the array with these columns, in this order, and its last extent.
Array with_columns(const Array& array, const std::vector<std::int64_t>& columns);

/// Returns the array with these rows, in this order. The extents stay.
Array with_rows(const Array& array, const std::vector<std::int64_t>& rows);

/// Returns `count` numbers from the first one on.
std::vector<std::int64_t> numbers_from(std::int64_t first, std::int64_t count,
                                       std::int64_t step = 1);

/// Returns the array with each value rounded to `dtype`.
Array rounded_to(Array array, DType dtype);

}  // namespace pegen::trials

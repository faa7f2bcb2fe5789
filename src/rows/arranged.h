#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/table.h"

// Rows whose elements are the elements of other rows, moved as they are.
namespace pegen::rows {

/// Returns the rows of `range`. Precondition: there are such rows.
Rows slice(const Rows& rows, RowRange range);

/// Returns the elements in rows of `columns` elements; they keep their order. Precondition: the
/// number of elements is a multiple of `columns`.
Rows reshaped(const Rows& rows, std::int64_t columns);

/// Returns each row `times` times: rows times * i ... times * i + times - 1 are row i of `rows`.
Rows repeated(const Rows& rows, std::int64_t times);

/// Returns the rows of all parts, one part after the other. Precondition: the parts have the same
/// dtype and number of columns.
Rows concatenated(const std::vector<Rows>& parts);

/// Returns rows: row i is the rows i of all parts, one behind the other. Precondition: the parts
/// have the same dtype and number of rows.
Rows side_by_side(const std::vector<Rows>& parts);

/// Returns `count` rows of zeros, then the rows of `rows`.
Rows with_zero_rows_before(const Rows& rows, std::int64_t count);

/// Returns the rows with row `row` all zeros.
Rows with_zero_row(const Rows& rows, std::int64_t row);

/// Returns the rows with column chosen[i] as column i.
Rows chosen_columns(const Rows& rows, const std::vector<std::int64_t>& chosen);

/// Returns the rows with row chosen[i] as row i.
Rows chosen_rows(const Rows& rows, const std::vector<std::int64_t>& chosen);

/// Returns the rows in another order: group i of each block of order.size() groups of `group` rows
/// is group order[i] of that block. Precondition: the blocks make up all rows.
Rows permuted_rows(const Rows& rows, const std::vector<std::int64_t>& order,
                   std::int64_t group = 1);

/// Returns the rows of `x` with the indices along `axis` in another order: index i of each block of
/// order.size() indices is index order[i] of that block of x. Precondition: the extent of the axis
/// is a multiple of order.size().
Rows permuted(const Table& x, int axis, const std::vector<std::int64_t>& order);

/// Reads all rows, reports them, and returns their elements column by column. Uses all threads.
std::vector<std::byte> columns_of(const Rows& rows);

/// Returns the columns as rows. They are read now, as columns_of() does, and kept.
Rows transposed(const Rows& rows);

/// Merges `more`, one row, into each of the rows in `rows` by bitwise or. The rows have the size of
/// `more`.
void merge_into(std::span<std::byte> rows, std::span<const std::byte> more);

/// Returns rows: row i is the bitwise or of the rows i of all sources. Each source has zeros where
/// another one has values. Precondition: there is a source, and all have the same shape and dtype.
Rows merged(const std::vector<Rows>& sources);

}  // namespace pegen::rows

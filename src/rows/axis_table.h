#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/table.h"

namespace pegen::rows {

inline constexpr std::int64_t most_kept_bytes = std::int64_t{1} << 23;

/// A table whose rows are read again and again. A small one, of at most `most_bytes`, is computed
/// at once and kept; a large one stays a source, so that memory does not grow with it.
class AxisTable {
  public:
    AxisTable(RowSource source, std::int64_t rows, std::int64_t bytes_per_row,
              std::int64_t most_bytes = most_kept_bytes);

    std::int64_t rows() const { return rows_; }
    std::int64_t bytes_per_row() const { return bytes_per_row_; }

    /// Returns the rows of `range`, either where they are kept or in `scratch`, which is resized.
    const std::byte* read(RowRange range, std::vector<std::byte>& scratch) const;

  private:
    std::int64_t rows_;
    std::int64_t bytes_per_row_;
    std::vector<std::byte> kept_;  ///< empty for a large table
    RowSource source_;             ///< null for a small one
};

/// Reads a table from row to row. For one thread; the table must outlive it.
class AxisReader {
  public:
    explicit AxisReader(const AxisTable& table) : table_(&table) {}

    const AxisTable& table() const { return *table_; }

    /// Returns rows, which are valid until the next call.
    const std::byte* rows(RowRange range);

    /// Returns one row. The caller will ask for `wanted` rows from this one on, so they may be
    /// computed together.
    const std::byte* row(std::int64_t index, std::int64_t wanted);

  private:
    const AxisTable* table_;
    RowRange range_{0, 0};
    const std::byte* rows_ = nullptr;  ///< the rows of range_
    std::vector<std::byte> scratch_;
};

}  // namespace pegen::rows

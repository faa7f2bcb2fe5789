#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/table.h"

// Rows that are read again and again, and so are kept in memory.
namespace pegen::rows {

/// Reads all rows, several at a time, and reports them. Returns their elements, row by row.
std::shared_ptr<const std::vector<std::byte>> elements_of(const Rows& rows);

/// Returns the rows, which are read now, as elements_of() does, and kept.
Rows kept(const Rows& rows);

/// Returns the rows, asked for whole bands only: rows 0 ... band - 1, band ... 2 band - 1 and so
/// on. For sources where a single row costs about as much as a whole band. The last few bands, two
/// for each thread, are kept, so that reading row by row stays cheap.
Rows in_bands(const Rows& rows, std::int64_t band);

/// Numbers in rows, one row after the other.
using KeptRows = std::shared_ptr<const std::vector<double>>;

/// Return the numbers as rows of `columns` each. Precondition: columns > 0.
RealRows kept_rows(KeptRows kept, std::int64_t columns);
RealRows kept_rows(std::vector<double> numbers, std::int64_t columns);

inline constexpr std::int64_t most_kept_bytes = std::int64_t{1} << 23;

/// A table whose rows are read again and again. A small one, of at most `most_bytes`, is computed
/// at once and kept; a large one stays a source, so that memory does not grow with it.
class AxisTable {
  public:
    explicit AxisTable(Rows rows, std::int64_t most_bytes = most_kept_bytes);

    std::int64_t rows() const { return rows_.count(); }
    std::int64_t bytes_per_row() const { return rows_.bytes_per_row(); }

    /// Returns the rows of `range`, either where they are kept or in `scratch`, which is resized.
    const std::byte* read(RowRange range, std::vector<std::byte>& scratch) const;

  private:
    Rows rows_;
    bool is_kept_;
    std::vector<std::byte> kept_;
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

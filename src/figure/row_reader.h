#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/dtype.h"
#include "core/table.h"

namespace pegen {

/// Reads rows repeatedly into the same memory. For one thread; the table must outlive it.
class RowReader {
  public:
    explicit RowReader(const Table& table) : table_(&table) {}

    /// Returns the rows of `range` as elements of the table's dtype, valid until the next call.
    std::span<const std::byte> elements(RowRange range) {
        bytes_.resize(checked_product(range.count, row_bytes(*table_), "the rows in bytes"));
        table_->rows(range, bytes_);
        return bytes_;
    }

    /// Returns the rows of `range` as doubles, valid until the next call.
    std::span<const double> values(RowRange range) {
        values_.resize(range.count * table_->shape.columns());
        load(elements(range), table_->dtype, values_);
        return values_;
    }

  private:
    const Table* table_;
    std::vector<std::byte> bytes_;
    std::vector<double> values_;
};

}  // namespace pegen

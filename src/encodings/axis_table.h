#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pegen/core/table.h"

namespace pegen::encodings {

/// The rows along one axis of a grid, for who reads them again and again: a small table is made at
/// once and kept; of a large one the bands that were asked for last are. So memory does not grow
/// with the axis.
class AxisTable {
  public:
    AxisTable(RowSource source, std::int64_t rows, std::int64_t bytes_per_row);

    std::int64_t rows() const { return rows_; }

    /// The rows of `range`: where they are kept, or in `scratch`, which is made to hold them.
    const std::byte* read(RowRange range, std::vector<std::byte>& scratch) const;

  private:
    std::int64_t rows_;
    std::int64_t bytes_per_row_;
    std::vector<std::byte> kept_;  ///< empty of a large table
    RowSource bands_;              ///< null of a small one
};

}  // namespace pegen::encodings

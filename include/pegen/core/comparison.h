#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "pegen/core/table.h"

namespace pegen {

/// How the values of one table stand in another: row i, channel c of the first is row i + shift,
/// channel channels[c] of the second, for all rows that both then have.
struct Rearrangement {
    std::int64_t shift;
    std::vector<std::int64_t> channels;
    std::string_view
        order;  ///< of the channels in words; empty: as they are, or in no common order
};

/// What separates two tables, row by row and channel by channel.
struct Comparison {
    std::int64_t compared;   ///< values that both have, of the rows of the shorter one
    std::int64_t differing;  ///< of these
    double largest;          ///< difference; infinity where one value only is finite
    std::int64_t row;        ///< of the first of the largest
    std::int64_t channel;
    std::optional<Rearrangement> rearrangement;  ///< that leaves no difference, if there is one
};

/// Rows are tried where they are and up to three rows later and earlier; two of them at least, and
/// half of the shorter table, must be left to compare. Values are equal if they are the same
/// number, or both NaN. Both tables are read into memory. They must have equally many channels,
/// shape.columns().
Comparison compare(const Table& first, const Table& second);

}  // namespace pegen

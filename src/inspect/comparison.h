#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/table.h"

namespace pegen {

/// A table in memory: channels of the positions of a sequence or a grid.
struct PositionTable {
    std::vector<std::int64_t> extents;          ///< of the axes of positions, slowest first
    std::vector<std::vector<double>> channels;  ///< [channel][position], the last axis fastest

    std::int64_t positions() const;
};

/// How the positions of a table stand in it.
struct PositionLayout {
    int channel_axis;
    std::vector<std::int64_t> extents;  ///< of the axes of positions; with channels: all values
    std::int64_t rows_before = 0;       ///< of the table, that belong to no position
    bool is_by_columns = false;         ///< the last but one axis is the fastest
};

PositionTable read_positions(const Table& table, const PositionLayout& layout);

/// How the values of one table stand in another: position p, channel c of the first is position
/// p + shift (along every axis), channel channels[c] of the second, wherever both then are.
struct Rearrangement {
    std::int64_t shift;
    std::vector<std::int64_t> channels;
    std::string_view order;  ///< of the channels in words; empty: as they are, or in no common one
    /// Positions of the first table that are left out since one of the tables has only zeros there.
    std::vector<std::int64_t> zeros;
};

/// What separates two tables.
struct Comparison {
    std::size_t axes;                 ///< of positions, as they were compared
    std::int64_t compared;            ///< values that both have: of equal channels and positions
    std::int64_t differing;           ///< of these
    double largest;                   ///< difference; infinity where one value only is finite
    std::vector<std::int64_t> place;  ///< position of the first of the largest, along each axis
    std::int64_t channel;
    std::optional<Rearrangement> rearrangement;  ///< that leaves no difference, if there is one
};

/// Positions are tried where they are and up to three later and earlier along all axes together;
/// two of an axis at least, and half of the shorter one, must be left to compare. Tables whose
/// numbers of axes differ are compared as sequences. Values are equal if they are the same number,
/// or both NaN. If the second table has more channels than the first, it is enough that it has
/// those of the first. Precondition: it has no fewer.
Comparison compare(PositionTable first, PositionTable second);

}  // namespace pegen

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/parameters.h"
#include "recognition/evidence/proposal.h"
#include "recognition/rotary/turning_table.h"

namespace pegen::recognition {

/// An assignment of the rows of a table to the tokens of a grid.
struct GridFrame {
    bool has_depth = false;
    std::int64_t depth = 1, height = 1, width = 1;
    std::int64_t prefix = 0, suffix = 0;   ///< numbers of rows that are not rotated
    std::int64_t merge = 1, window = 0;    ///< as in grid_order.h
    std::vector<std::int64_t> row_of{};    ///< the row of each point, x fastest, t slowest
    std::vector<std::int64_t> point_of{};  ///< the point of each row; -1 in prefix and suffix
    std::string axis_of_pair{};            ///< t, y or x; * for a pair that is the same everywhere

    std::string_view axes() const { return has_depth ? "tyx" : "yx"; }
    std::int64_t extent(char axis) const {
        return axis == 't' ? depth : axis == 'y' ? height : width;
    }
    /// Returns the point at this place on an axis and at place 0 on the other axes.
    std::int64_t point(char axis, std::int64_t place) const {
        return axis == 't' ? place * height * width : axis == 'y' ? place * width : place;
    }
    /// Returns the place of a point on an axis, counted from 0.
    std::int64_t place(char axis, std::int64_t point) const;
    std::vector<Setting> settings() const;
};

/// The order of a grid's tokens: row by row, or by blocks and windows.
enum class TokenOrder { rows, blocks };

/// Returns grids on which each pair of the table depends on one axis only, a few at most. All rows
/// must be in memory.
std::vector<GridFrame> grid_frames(const TurningTable& table, TokenOrder order);

/// The blocks of pairs, one for each axis, in the order of --axes, or pairs of the axes in turn.
struct Blocks {
    std::string axes;
    std::vector<std::int64_t> pairs;  ///< of each axis, in the order of `axes`
    bool are_in_turn = false;

    /// Returns the axis of a pair, as an index of `axes`.
    std::size_t rank_of(std::int64_t pair) const;
    char axis_of(std::int64_t pair) const { return axes[rank_of(pair)]; }
    /// Returns pair k of an axis among all pairs.
    std::int64_t pair(std::size_t rank, std::int64_t k) const;
    /// Returns the number of pairs of the axes before this one.
    std::int64_t first(std::size_t rank) const;
    std::int64_t count() const { return first(pairs.size()); }
    /// Returns the value of --split, in the order of `usual_axes`; empty if all blocks are equal.
    std::string split(std::string_view usual_axes) const;
};

/// Returns the orders of the axes' blocks that agree with the axis of each pair, the usual order
/// first. A pair that has the same values everywhere may belong to any axis: such pairs are
/// distributed so that the blocks are equal, if possible, and so that each block begins where its
/// axis is first seen. If no blocks agree, the axes are tried in turn.
std::vector<Blocks> blocks_of(const GridFrame& frame);

}  // namespace pegen::recognition

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

}  // namespace pegen::recognition

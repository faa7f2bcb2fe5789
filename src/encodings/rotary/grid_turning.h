#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "encodings/rotary/grid_blocks.h"
#include "encodings/rotary/grid_lines.h"
#include "encodings/rotary/grid_spectrum.h"
#include "encodings/rotary/turning_table.h"

// By which frequencies the pairs of a table turn along the axes of a grid.
namespace pegen::encodings {

/// How closely values have to agree.
enum class Closeness {
    rounded,  ///< exact values, rounded once
    float32,  ///< as float32 code makes them
};

/// A table as a grid, whose axes have blocks of its pairs.
class GridTurning {
  public:
    /// All are kept by reference.
    GridTurning(const TurningTable& table, const GridFrame& frame, const Blocks& blocks);

    const GridFrame& frame() const { return *frame_; }
    const Blocks& blocks() const { return *blocks_; }

    bool is_noisy() const { return table_->array().noise > 0; }

    /// True if the points may stand there: some frequency turns the first pair of each axis.
    bool may_stand_at(const GridLines& lines) const;
    /// True if the frequency, in radians per coordinate, turns the pair along its axis.
    bool may_turn(std::int64_t pair, double frequency, const Line& line, Closeness closeness) const;
    /// Returns the frequencies of all axes' pairs, which turn by half a turn from point to point at
    /// most; none if a pair has none, or several.
    std::optional<std::vector<AxisTurning>> measured(const GridLines& lines) const;

  private:
    /// A value of the pair at a place on its axis; infinitely uncertain if the table has none.
    struct Cell {
        evidence::Measured cosine, sine;
    };

    std::int64_t row(char axis, std::int64_t place) const;
    std::optional<evidence::Measured> frequency(std::int64_t pair, const Line& line) const;

    const TurningTable* table_;
    const GridFrame* frame_;
    const Blocks* blocks_;
    std::vector<std::vector<Cell>> cells_;  ///< by pair and place
};

}  // namespace pegen::encodings

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/table.h"

namespace pegen {

/// An axis that positions are displaced along.
struct PositionAxis {
    std::string name;  ///< "position", "height"
    std::int64_t extent;
    std::int64_t stride;  ///< positions from one index of the axis to the next
    /// From one position to the next; none if they are not equally spaced.
    std::optional<double> step{};
    double step_error = 0;  ///< how far a position is at most from where equal steps put it
};

/// A table as a vector of channels at each position. Positions are numbered through: those of a
/// sequence or of a grid, slowest axis first as they stand in the table, then those of the next
/// image of a batch, or of the next head. Rows before the first position have no number.
struct PositionVectors {
    Table table;
    std::int64_t groups = 1;     ///< images or heads, each with positions of its own
    std::int64_t positions = 0;  ///< of one group
    std::int64_t channels = 1;
    std::vector<PositionAxis> axes{};

    std::int64_t rows_before = 0;     ///< left out, of each group
    std::int64_t first_channels = 1;  ///< indices of the axes of channels before the positions

    std::int64_t count() const { return groups * positions; }

    /// The number along `axis` of position `index`.
    static std::int64_t index_along(const PositionAxis& axis, std::int64_t index) {
        return index / axis.stride % axis.extent;
    }

    /// The vectors of positions first, first + 1, ..., one after the other.
    std::vector<double> read(RowRange range) const;

    /// "row 3" of a sequence, "(3, 1)" of a grid; "(3, 1) of 2" in the third of several groups.
    std::string place(std::int64_t index) const;
};

/// A table as vectors, or why it is none.
struct VectorsOrReason {
    std::optional<PositionVectors> vectors;
    std::string reason;
};

/// Reads the axes of the table: positions, points of a grid and pixels are positions; batches and
/// heads before them are groups; all else are channels. Of a file, whose axes say nothing, the last
/// axis counts channels, the one before positions, and others groups; of more than two axes those
/// of extent 1 are left out. Computes no values.
VectorsOrReason vectors_of(const Table& table);

}  // namespace pegen

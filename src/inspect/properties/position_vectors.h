#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/table.h"

namespace pegen {

/// An axis along which positions are displaced.
struct PositionAxis {
    std::string name;  ///< "position", "height"
    std::int64_t extent;
    std::int64_t stride;  ///< positions from one index of the axis to the next
    /// The distance from one position to the next; no value if positions are not equally spaced.
    std::optional<double> step{};
    double step_error = 0;  ///< the largest distance of a position from its place at equal steps
};

/// A table as a vector of channels at each position. Positions are numbered consecutively: the
/// positions of a sequence or of a grid, slowest axis first as in the table, then the positions of
/// the next image of a batch, or of the next head. Rows before the first position have no number.
struct PositionVectors {
    Table table;
    std::int64_t groups = 1;     ///< images or heads, each with positions of its own
    std::int64_t positions = 0;  ///< number of positions in one group
    std::int64_t channels = 1;
    std::vector<PositionAxis> axes{};

    std::int64_t rows_before = 0;     ///< rows of each group that are left out
    std::int64_t first_channels = 1;  ///< number of channels along axes before the positions

    std::int64_t count() const { return groups * positions; }

    /// Returns the index along `axis` of the position with number `index`.
    static std::int64_t index_along(const PositionAxis& axis, std::int64_t index) {
        return index / axis.stride % axis.extent;
    }

    /// Returns the vectors of positions first, first + 1, ..., one after the other.
    std::vector<double> read(RowRange range) const;

    /// Returns the name of a position: "row 3" of a sequence, "(3, 1)" of a grid; "(3, 1) of 2" in
    /// the third of several groups.
    std::string place(std::int64_t index) const;
};

/// A table as vectors, or the reason why it cannot be read as vectors.
struct VectorsOrReason {
    std::optional<PositionVectors> vectors;
    std::string reason;
};

/// Reads the axes of the table: positions, points of a grid and pixels are positions; batches and
/// heads before them are groups; all other axes are channels. In a file, whose axes have no kinds,
/// the last axis counts channels, the axis before it positions, and other axes groups; of more than
/// two axes, axes of extent 1 are left out. Computes no values.
VectorsOrReason vectors_of(const Table& table);

}  // namespace pegen

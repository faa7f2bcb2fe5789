#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/positions.h"

namespace pegen {

/// The kind of thing that the indices of an axis count. Code that must know what an axis means asks
/// for its kind, never for its name.
enum class AxisKind : std::uint8_t {
    other,      ///< unknown, as in an array read from a file
    position,   ///< positions of a sequence
    point,      ///< the points of a grid, one after the other, or points of a list
    pixel,      ///< positions along one axis of an image or a video
    channel,    ///< the numbers that encode one position
    frequency,  ///< the frequencies of an encoding
    batch,
    head,
    query,
    key,
    function,  ///< tables of several functions of the same angles, such as cos and sin
};

/// An axis of a table.
struct Axis {
    AxisKind kind = AxisKind::other;
    std::string name{};   ///< in files: "position"
    std::string label{};  ///< in figures: "Sequence Position (max_len)"

    /// The names of the indices: "cos", "sin". Empty if the indices have only numbers.
    std::vector<std::string> index_names{};

    /// The number of leading indices without a position: rows put before a table.
    std::int64_t rows_before = 0;

    /// The positions of the indices from `rows_before` on. Without a value, the position of an
    /// index is index - rows_before.
    std::optional<Positions> positions{};

    /// The extents of the grid whose points the axis counts, slowest axis first as in an image
    /// (depth, height, width). Empty if the axis counts no grid points.
    std::vector<std::int64_t> extents{};
    bool is_by_columns = false;  ///< the grid's last axis but one runs fastest, not its last axis
    bool is_merged = false;      ///< the grid's axes are axes of the table, shown as one
};

/// Returns the position of index `index`; nothing for the rows before the first position.
std::optional<double> position_at(const Axis& axis, std::int64_t index);

/// Returns the name of index `index` in a figure: "cos", or "head 3".
std::string index_name(const Axis& axis, std::int64_t index);

/// Returns the number of the first axis of this kind, counted from 0; nothing if there is none.
std::optional<int> find_axis(const std::vector<Axis>& axes, AxisKind kind);

/// True if figures show an index of this axis as a panel of its own.
bool is_shown_as_panels(const Axis& axis);

// The points of a grid that one axis counts.

/// Returns the indices of a point along the axes of the grid, Axis::extents; an empty list if the
/// axis counts no grid points, or the index is one of the rows before them.
std::vector<std::int64_t> grid_index(const Axis& axis, std::int64_t index);

/// Returns the index of the point with these indices along the axes of the grid.
/// Precondition: there is such a point.
std::int64_t index_of_point(const Axis& axis, std::span<const std::int64_t> point);

}  // namespace pegen

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/positions.h"

namespace pegen {

/// What the indices of an axis count. Whoever needs to know what an axis means asks for its kind,
/// never for its name.
enum class AxisKind : std::uint8_t {
    other,      ///< not known, as of a file
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

    /// What the indices are called: "cos", "sin". Empty: by their numbers.
    std::vector<std::string> index_names{};

    /// The number of leading indices that stand for no position: rows put before a table.
    std::int64_t rows_before = 0;

    /// The position of each index from `rows_before` on. None: the index itself, counted from
    /// `rows_before`.
    std::optional<Positions> positions{};

    /// The extents of the grid whose points the axis counts, slowest axis first as in an image
    /// (depth, height, width). Empty: the points are of no grid.
    std::vector<std::int64_t> extents{};
    bool is_by_columns = false;  ///< the last but one axis of the grid runs fastest, not the last
    bool is_merged = false;      ///< the grid's axes are axes of the table, shown as one
};

/// Returns the position that index `index` stands for; none for the rows before the first position.
std::optional<double> position_at(const Axis& axis, std::int64_t index);

/// Returns what index `index` is called in a figure: "cos", or "head 3".
std::string index_name(const Axis& axis, std::int64_t index);

/// Returns the number of the first axis of this kind; none if there is none.
std::optional<int> find_axis(const std::vector<Axis>& axes, AxisKind kind);

/// True if figures show an index of this axis as a panel of its own.
bool is_shown_as_panels(const Axis& axis);

}  // namespace pegen

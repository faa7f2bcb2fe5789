#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "encodings/rotary/grid_frame.h"
#include "evidence/proposal.h"

// Where the points of a grid may stand along its axes.
namespace pegen::encodings {

/// The coordinates of the points along an axis: first + place * step.
struct Line {
    double first, step;

    double at(std::int64_t place) const { return first + step * static_cast<double>(place); }
    bool operator==(const Line&) const = default;
};

/// Coordinates of a grid, by --coords, --start, --step and --normalize.
struct GridLines {
    std::vector<evidence::Setting> settings;
    Line (*line)(double extent, double least, double most);  ///< extents of the axis and of all

    Line along(const GridFrame& frame, char axis) const;
};

/// Returns the coordinates that code has, the most usual first. Those that a factor of the
/// frequencies makes of others are not among them.
std::span<const GridLines> usual_lines();

}  // namespace pegen::encodings

#pragma once

#include "core/axis.h"
#include "core/parameters.h"

// The parameters of encodings of points: the points of a file, or those of a grid.
namespace pegen::encodings {

inline constexpr ParameterSpec points_parameter{
    .name = "points",
    .type = ParameterType::path,
    .summary = "NPY file: floats (points, axes), the coordinates"};

inline constexpr ParameterSpec coords_parameter{
    .name = "coords",
    .type = ParameterType::text,
    .default_value = "linspace:-1:1",
    .summary = "linspace:LO:HI (both ends included) or center:SCALE (middles of cells)"};

/// Throws: UsageError if a parameter of the grid is given; the others get no value. For --points.
Parameters without_grid(Parameters parameters);

/// Returns the axis of points, with the extents of their grid or none.
Axis point_axis(std::vector<std::int64_t> extents);

}  // namespace pegen::encodings

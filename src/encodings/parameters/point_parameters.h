#pragma once

#include "core/axis.h"
#include "core/parameters.h"

// The parameters of encodings of points, which are read from a file or form a grid.
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

/// Clears the parameters of the grid, for points from --points. Throws: UsageError if one of them
/// is given.
Parameters without_grid(Parameters parameters);

/// Returns the axis of the points. `extents` are the extents of their grid, empty without a grid.
Axis point_axis(std::vector<std::int64_t> extents);

}  // namespace pegen::encodings

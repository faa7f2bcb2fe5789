#pragma once

#include <array>

#include "core/parameters.h"
#include "core/positions.h"
#include "encodings/parameters/grid_axes.h"
#include "encodings/parameters/position_parameters.h"
#include "numerics/real.h"

// Where the points of a grid stand that turn the pairs of rope-grid.
namespace pegen::encodings {

inline constexpr std::array coordinate_parameters{
    ParameterSpec{
        .name = "coords",
        .type = ParameterType::word,
        .default_value = "index",
        .choices = "index linspace cells",
        .summary =
            "coordinates: start + step i, from -1 to 1, or middles of cells between -1 and 1"},
    start_parameter,
    step_parameter,
    ParameterSpec{
        .name = "normalize",
        .aliases = "normalize-coords",
        .type = ParameterType::word,
        .default_value = "separate",
        .choices = "separate max min",
        .summary = "divisor for --coords cells: each axis's extent, the largest, or the smallest"},
    ParameterSpec{
        .name = "ref-extent",
        .aliases = "pt-seq-len pt-hw-seq-len ref-feat-shape",
        .type = ParameterType::reals,
        .range = positive,
        .summary =
            "extent in pretraining, to which coordinates are rescaled; one, or one per axis"},
};

/// numerator / denominator, exactly.
struct Unit {
    double numerator = 1;
    numerics::Real denominator = 1;
};

/// Coordinates along an axis: numerators[i] * unit, exactly.
struct Coordinates {
    Positions numerators;
    Unit unit;
};

/// Returns the coordinates of an axis, t, y or x; their formulas stand in rope_grid.cpp.
Coordinates coordinates_of(const Parameters& parameters, char axis);

/// Throws: UsageError for parameters that have no effect, a list that is not as long as there are
/// axes, or positions beyond 2^53.
void check_coordinates(const Parameters& parameters);

}  // namespace pegen::encodings

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "encodings/images/grid_nestings.h"
#include "evidence/point_grid.h"
#include "evidence/sample.h"
#include "evidence/simple_number.h"

namespace pegen::encodings {

/// The numbers of a grid's waves, those of axes as the axes of its PointGrid:
/// value = radius * sin or cos((start + step * index) * base^(-2k / (channels - shift))).
struct GridNumbers {
    double radius;
    double shift;
    std::vector<double> bases, starts, steps;
};

/// Returns the bases near those given with which the values along all axes round to what they are:
/// of values of a few digits, they say more together than their angles do. One base for all axes if
/// the given ones are the same. None if there are no such bases, or if no value depends on them.
std::optional<std::vector<evidence::Measured>> bases_by_rounding(const evidence::Sample& points,
                                                                 const evidence::PointGrid& grid,
                                                                 std::string_view names,
                                                                 const GridNesting& nesting,
                                                                 const GridNumbers& numbers);

}  // namespace pegen::encodings

#pragma once

#include <cstdint>
#include <string_view>

#include "core/dtype.h"
#include "core/table.h"
#include "encodings/cell.h"
#include "numerics/coordinates.h"
#include "numerics/plane_waves.h"

namespace pegen::encodings {

/// Reads --coords for an axis of `extent` points: linspace:LO:HI or center:SCALE. Their formulas
/// are in fourier.cpp. Throws: UsageError with the valid forms, or with the rule that a number
/// breaks.
numerics::Coordinates grid_coordinates(std::string_view text, std::int64_t extent);

/// Returns the term of coordinate i: "5/14", "3 * 0.1/7", "(0.7 * 4 + -0.2 * 14)/18".
Term coordinate_term(const numerics::Coordinates& coordinates, std::int64_t i);

/// Returns `rows`, one for each point, with the coordinate of the point, rounded once to their
/// dtype, in column `column`.
Rows with_coordinates(const Rows& rows, const numerics::PointAxis& axis, std::int64_t column);

}  // namespace pegen::encodings

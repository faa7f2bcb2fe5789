#pragma once

#include <cstdint>
#include <string_view>

#include "core/dtype.h"
#include "core/table.h"
#include "encodings/cell.h"
#include "numerics/coordinates.h"

namespace pegen::encodings {

/// Reads --coords for an axis of `extent` points: linspace:LO:HI or center:SCALE, whose formulas
/// stand in fourier.cpp. Throws: UsageError with the forms there are, or the rule a number breaks.
numerics::Coordinates grid_coordinates(std::string_view text, std::int64_t extent);

/// Returns coordinate i with its formula: "5/14", "3 * 0.1/7", "(0.7 * 4 + -0.2 * 14)/18".
Term coordinate_term(const numerics::Coordinates& coordinates, std::int64_t i);

/// Returns `rows` with coordinate i, rounded once to `dtype`, in row i, column `column` of
/// `columns`.
RowSource with_coordinates(RowSource rows, numerics::Coordinates coordinates, std::int64_t column,
                           std::int64_t columns, DType dtype);

}  // namespace pegen::encodings

#pragma once

#include <cstdint>
#include <string_view>

#include "core/dtype.h"
#include "core/table.h"
#include "encodings/cell.h"
#include "numerics/coordinates.h"

namespace pegen::encodings {

/// Reads --coords for an axis of `extent` points: linspace:LO:HI or center:SCALE. Their formulas
/// are in fourier.cpp. Throws: UsageError with the valid forms, or with the rule that a number
/// breaks.
numerics::Coordinates grid_coordinates(std::string_view text, std::int64_t extent);

/// Returns the term of coordinate i: "5/14", "3 * 0.1/7", "(0.7 * 4 + -0.2 * 14)/18".
Term coordinate_term(const numerics::Coordinates& coordinates, std::int64_t i);

/// Returns `rows`, of `columns` columns, with coordinate i, rounded once to `dtype`, in row i of
/// column `column`.
RowSource with_coordinates(RowSource rows, numerics::Coordinates coordinates, std::int64_t column,
                           std::int64_t columns, DType dtype);

}  // namespace pegen::encodings

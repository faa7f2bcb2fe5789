#pragma once

#include <cstdint>
#include <string_view>

#include "core/dtype.h"
#include "core/positions.h"
#include "core/table.h"

namespace pegen::encodings {

/// Coordinates along an axis: numerators[i] / divisor. As quotients those of a grid are exact,
/// and they take no memory, however many there are.
struct Coordinates {
    Positions numerators;
    double divisor;  ///< positive
};

/// Reads --coords for an axis of `extent` points: linspace:LO:HI or center:SCALE, whose formulas
/// stand in fourier.cpp. Throws: UsageError with the forms there are, or the rule a number breaks.
Coordinates grid_coordinates(std::string_view text, std::int64_t extent);

/// Returns a double whose rounding to `dtype` is numerator / divisor rounded once.
double quotient_for(DType dtype, double numerator, double divisor);

/// Returns the largest |coordinate|.
double largest(const Coordinates& coordinates);

/// Returns `rows` with coordinate i, rounded once to `dtype`, in row i, column `column` of
/// `columns`.
RowSource with_coordinates(RowSource rows, Coordinates coordinates, std::int64_t column,
                           std::int64_t columns, DType dtype);

}  // namespace pegen::encodings

#pragma once

#include <cstdint>
#include <functional>

#include "core/dtype.h"
#include "core/table.h"
#include "numerics/real.h"

namespace pegen::numerics {

// The last resort of every correctly rounded value: MPFR, with as many bits as it takes.

/// A number that lies within `error` of `value`.
struct Enclosure {
    Real value;
    Real error;
};

/// Whether an exact value may lie halfway between two neighbours of a dtype.
enum class Midpoints { possible, impossible };

/// True if `a` and `b` are rounded to the same value of `dtype`, with the same sign if that is 0.
bool are_rounded_alike(double a, double b, DType dtype);

inline constexpr mpfr_prec_t most_bits_to_midpoint = 5120;

/// Returns a double whose rounding to `dtype` is the exact value, rounded once. Calls `enclose`
/// under a Precision of 320 bits, 1280, 5120 ... until both ends of the enclosure are rounded to
/// the same value. If midpoints are possible, a value that 5120 bits cannot tell from a midpoint is
/// taken for that midpoint: docs/numerics.md says why.
double ziv_loop(DType dtype, Midpoints midpoints, const std::function<Enclosure()>& enclose);

/// Returns the same for a formula that is off by at most rounding_errors() of its value.
double ziv_loop(DType dtype, Midpoints midpoints, const std::function<Real()>& formula);

/// Returns |magnitude| * 2^(40 - bits), where `bits` is the number of bits of Precision: more than
/// the error of a formula of well-conditioned operations, or of a product of a million numbers.
Real rounding_errors(const Real& magnitude);

/// The formula of a table: pure, evaluated with as many bits as rounding needs, and off by at most
/// rounding_errors() of its value.
using RealFormula = std::function<Real(std::int64_t row, std::int64_t column)>;

/// Returns the rows of  table[row, column] = value(row, column), each rounded once to `dtype`.
/// Takes microseconds for each value.  Shape: (rows, columns).
Rows real_rows(RealFormula value, std::int64_t rows, std::int64_t columns, DType dtype);

/// Returns the same rows, in nanoseconds for each value of a dtype narrower than float64. near(row,
/// column) is value(row, column) in plain doubles, off by at most 2^-40 of itself: `value` is
/// evaluated only where `near` leaves the rounding in doubt.
Rows real_rows(RealFormula value, std::function<double(std::int64_t row, std::int64_t column)> near,
               std::int64_t rows, std::int64_t columns, DType dtype);

}  // namespace pegen::numerics

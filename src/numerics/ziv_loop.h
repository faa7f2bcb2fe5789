#pragma once

#include <functional>

#include "core/dtype.h"
#include "numerics/real.h"

// The last resort of every correctly rounded value: MPFR, with as many bits as it takes.
namespace pegen::numerics {

/// A number that lies within `error` of `value`.
struct Enclosure {
    Real value;
    Real error;
};

/// Says whether an exact value may lie halfway between two neighbours of a dtype.
enum class Midpoints { possible, impossible };

/// True if both are rounded to the same value of `dtype`, of the same sign if that is 0.
bool are_rounded_alike(double a, double b, DType dtype);

/// Returns a double whose rounding to `dtype` is the exact value, rounded once. Calls `enclose`
/// under a Precision of 320 bits, 1280, 5120 ... until both ends of the enclosure are rounded to
/// the same. If midpoints are possible, what 5120 bits do not tell from one is taken for it:
/// docs/numerics.md says why.
double ziv_loop(DType dtype, Midpoints midpoints, const std::function<Enclosure()>& enclose);

/// The same for a formula that is off by at most rounding_errors() of its value.
double ziv_loop(DType dtype, Midpoints midpoints, const std::function<Real()>& formula);

/// Returns |magnitude| * 2^(40 - bits), bits being those of Precision: more than a formula of
/// well-conditioned operations, or a product of a million numbers, is off by.
Real rounding_errors(const Real& magnitude);

}  // namespace pegen::numerics

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

}  // namespace pegen::numerics

#pragma once

/// The single-precision functions of glibc 2.28 to 2.40 on x86-64 with FMA, with the same bits
/// wherever this program runs. They are not correctly rounded: about one value in a hundred is the
/// wrong neighbour, so tables made with them can only be reproduced with them. The method and the
/// constants come from Arm's Optimized Routines, for erf from Sun's FDLIBM.
namespace pegen::glibc {

/// Returns the natural logarithm of x. Precondition: x is positive and normal.
float log(float x);

/// Returns e^x. Precondition: |x| <= 80.
float exp(float x);

/// Return the sine and the cosine of x. Precondition: |x| < 120.
float sin(float x);
float cos(float x);

/// Returns erf(x). Precondition: x is 0 or 2^-119 <= |x|.
float erf(float x);

}  // namespace pegen::glibc

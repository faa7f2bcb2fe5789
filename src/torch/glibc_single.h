#pragma once

/// glibc's functions of single precision, 2.28 to 2.40, x86-64 with FMA: the same bits wherever
/// this program runs. None is correctly rounded, about one value in a hundred is the other
/// neighbour, so what was computed with them cannot be told without them. The method and the
/// constants are those of Arm's Optimized Routines, for erf of Sun's FDLIBM.
namespace pegen::torch::glibc {

/// x is positive and normal.
float log(float x);

/// |x| <= 80.
float exp(float x);

/// |x| < 120.
float sin(float x);
float cos(float x);

/// x is 0 or 2^-119 <= |x|.
float erf(float x);

}  // namespace pegen::torch::glibc

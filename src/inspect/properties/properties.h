#pragma once

#include "inspect/properties/property.h"

namespace pegen::properties {

/// Property: no two positions of a group have equal vectors, where +0 is -0 and NaN is NaN. The
/// check is exact: every vector is hashed, and vectors of equal hashes are compared. It keeps 16
/// bytes for each position, and ends at 2^26 positions.
extern const Property unique;

/// Property: no |value| exceeds B. For sines and cosines, B is 1, times --out-scale and
/// --attention-factor. A generated table that promises no bound fails if its values grow with the
/// position; for a file that exceeds 1 nothing is known.
extern const Property bounded;

/// Property: one rotation of each pair of channels leads from t to t + D, for every t.
///
/// The bound: let e be half an ulp of the largest value. Both channels of z(t) are off by at most
/// e, so z(t) is off by sqrt(2) e, and  z(t + D) - e^(i w D) z(t)  by 2 sqrt(2) e. The fitted angle
/// phi is the angle of a sum of  r^2 e^(i w D)  and errors of at most  2 sqrt(2) e r  each, so it
/// is off by at most  2 sqrt(2) e / r,  which moves a vector of length r by as much again.
/// Together: 4 sqrt(2) e (1 + 4 e / r); the second term covers products of errors. 2^-49 r is added
/// for the arithmetic of the check, which is in double, and 4 r times the error of positions that
/// are not exactly equally spaced, times the fastest frequency, or 1 if no frequency is known.
extern const Property rotation;

/// Property: PE(t) . PE(t + D) is the same for all t. Then it is the same for D and -D.
///
/// The bound: channel c is at most X(c) and off by at most half an ulp of X(c), e(c). A dot product
/// is then off by E = sum over c of 2 e(c) X(c) + e(c)^2, and two dot products differ by at most 2
/// E. (n + 3) 2^-53 sum of X(c)^2 is added to E for n products and sums in double. Where the
/// frequencies are known, the mean is also compared with r^2 times the sum of cos(w D).
extern const Property offset;

/// Property: PE(t) . PE(t + D) over |PE(t)|^2, each averaged over t; a measurement without a
/// verdict.
extern const Property decay;

/// Property: |PE(t + 1) - PE(t)| is the same for all t.
///
/// The bound: a difference of two vectors is off by at most 2 e(c) in channel c, so its length by
/// F = sqrt(sum of 4 e(c)^2), and two lengths differ by at most 2 F, plus the arithmetic of the
/// check.
extern const Property spacing;

/// Property: in a table of queries i and keys j, B(i + 1, j + 1) = B(i, j), along each axis if the
/// tokens are the points of a grid. The property also holds if the difference is a constant for
/// each query, since softmax does not see such a constant.
///
/// The bound: both entries are off by at most e, half an ulp of the largest, so their difference by
/// 2 e, and differences of one query differ by at most 4 e.
extern const Property relative;

}  // namespace pegen::properties

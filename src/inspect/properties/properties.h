#pragma once

#include "inspect/properties/property.h"

namespace pegen::properties {

/// No two positions of a group have equal vectors: +0 is -0, NaN is NaN. Exact: every vector is
/// hashed, vectors of equal hashes are compared. Keeps 16 bytes for each position, and ends at 2^26
/// of them.
extern const Property unique;

/// No |value| exceeds B. B is 1, times --out-scale and --attention-factor, of sines and cosines. Of
/// a generated table that promises no bound, values that grow with the position fail; of a file
/// that exceeds 1 nothing is known.
extern const Property bounded;

/// One rotation of each pair of channels leads from t to t + D, for every t.
///
/// The bound: let e be half an ulp of the largest value. Both channels of z(t) are off by at most
/// e, so z(t) by sqrt(2) e, and  z(t + D) - e^(i w D) z(t)  by 2 sqrt(2) e. The fitted angle phi is
/// that of a sum of  r^2 e^(i w D)  and errors of at most  2 sqrt(2) e r  each, so it is off by at
/// most  2 sqrt(2) e / r,  which moves a vector of length r by as much again. Together:
/// 4 sqrt(2) e (1 + 4 e / r); the second term covers products of errors. 2^-49 r is added for the
/// arithmetic of the check, which is in double, and 4 r times the error of positions that are not
/// exactly equally spaced, times the fastest frequency, or 1 if none is known.
extern const Property rotation;

/// PE(t) . PE(t + D) is the same for all t. Then it is the same for D and -D.
///
/// The bound: channel c is at most X(c) and off by at most half an ulp of that, e(c). A dot product
/// is then off by E = sum over c of 2 e(c) X(c) + e(c)^2, and two of them differ by at most 2 E.
/// (n + 3) 2^-53 sum of X(c)^2 is added to E for n products and sums in double. Where the
/// frequencies are known, the mean is held beside r^2 times the sum of cos(w D), too.
extern const Property offset;

/// PE(t) . PE(t + D) over |PE(t)|^2, each averaged over t: a measurement.
extern const Property decay;

/// |PE(t + 1) - PE(t)| is the same for all t.
///
/// The bound: a difference of two vectors is off by at most 2 e(c) in channel c, so its length by
/// F = sqrt(sum of 4 e(c)^2), and two lengths differ by at most 2 F, plus the arithmetic of the
/// check.
extern const Property spacing;

/// In a table of queries i and keys j: B(i + 1, j + 1) = B(i, j), along each axis if the tokens are
/// those of a grid. What differs by a constant of each query holds as well: softmax does not see
/// it.
///
/// The bound: both entries are off by at most e, half an ulp of the largest, so their difference by
/// 2 e, and differences of one query differ by at most 4 e.
extern const Property relative;

}  // namespace pegen::properties

#pragma once

#include "encodings/encoding.h"

namespace pegen::encodings {

/// Sines and cosines of continuous coordinates: Fourier features.
///
///     PE[point, (a, k, f)] = f(x_a * freq_scale * nu[k]),  f = sin, cos;  k = 0 ... K - 1
///
/// x_a is the point's coordinate on axis a: column a of the array in --points, or of a grid of n
/// points along the axis, i = 0 ... n - 1,
///
///     linspace:LO:HI   x[i] = (LO * (n - 1) + (HI - LO) * i) / (n - 1);  LO if n is 1
///     center:SCALE     x[i] = (2 i + 1 - n) * SCALE / n:  the middles of n equal cells
///
/// nu, by --freqs:
///
///     pow2:K, pow2:LO:HI   2^k from k = 0 or LO, up to and without K or HI
///     linear:LO:HI:K       (LO * (K - 1 - k) + HI * k) / (K - 1);  LO if K is 1
///     geometric:BASE:K     BASE^(k / K)
///     a,b,c                these
///
/// Channel (a, k, f) is its rank in the nesting --order, slowest first; axes count in the order
/// --axes or of the file's columns, functions in that of --first. With --raw the coordinates are
/// channels too: before or after all others, or each after those of its axis.
///
/// Table: encoding (points, features), axes (point, channel); features = axes * 2 K, and one more
/// for each axis with --raw. Points of a grid run along x fastest, t slowest.
/// Correctly rounded, of the quotients above as they are. Their numerators are doubles, made of
/// LO * (n - 1), (1 - n) * SCALE, HI - LO and LO * (K - 1 - k) as doubles: exact if LO, HI and
/// SCALE are whole numbers. pi is the double nearest to it, as in everybody's code. Of a file,
/// eight bytes are kept for each coordinate, sixteen with --raw; there may be 2^28.
/// Throws: UsageError; FileError and FormatError for the points.
/// Source: Mildenhall et al. 2020, arXiv:2003.08934, section 5.1; Tancik et al. 2020,
/// arXiv:2006.10739; Jaegle et al. 2021, arXiv:2103.03206, appendix D.
extern const Encoding fourier;

}  // namespace pegen::encodings

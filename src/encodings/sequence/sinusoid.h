#pragma once

#include "encodings/encoding.h"

namespace pegen::encodings {

/// The sinusoidal encoding and its variants, on one axis.
///
///     omega[k]           = freq_scale * base^(-u / (w - denom_shift))
///     PE[row, channel]   = out_scale * f(position[row] * omega[k])
///
/// u = 2 k with shared pairing: one frequency for a sin and a cos; with per-channel pairing u and k
/// are the channel itself. w = d, but for odd d with --odd zero-pad d - 1 and round-up d + 1. The
/// exponent of k = 0 is 0 even where the denominator is not positive.
/// Layout interleaved: sin, cos, sin, cos ...; halves: all sin, then all cos; cos before sin with
/// --first cos.
///
/// Tables: encoding (prefix_rows + len, d), axes (position, channel); frequencies, wavelengths
/// (k,), in radians per position and positions per turn.
/// Correctly rounded, but for standardize, which is computed in double.
/// Order of the finishing touches: out-scale, standardize, zero-row, prefix-rows.
/// Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.5.
extern const Encoding sinusoid;

}  // namespace pegen::encodings

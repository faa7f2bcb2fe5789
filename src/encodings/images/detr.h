#pragma once

#include "encodings/encoding.h"

namespace pegen::encodings {

/// The sines of images with padding, of DETR and its descendants. N is num-pos-feats.
///
///     omega[k]                      = temperature^(-2k / N),  k = 0 ... N/2 - 1
///     PE[batch, 2k,         y, x]   = sin(Y * omega[k])
///     PE[batch, 2k + 1,     y, x]   = cos(Y * omega[k])
///     PE[batch, N + 2k,     y, x]   = sin(X * omega[k])
///     PE[batch, N + 2k + 1, y, x]   = cos(X * omega[k])
///
/// Y is the number of valid pixels in column x from its top to (y, x), which is counted, X that in
/// row y from its left: 1 at the first valid pixel; padding does not count. With normalize
///
///     Y = ((count + offset) / (last + eps)) * scale
///
/// with `last` the count at the end of the column, and X likewise along the row; each operation is
/// one of doubles, rounded once, in this order. In a column of padding Y is
/// ((0 + offset) / (0 + eps)) * scale.
///
/// temperature may be two: of Y and of X. The image is all valid, or its top left part (valid), or
/// what a mask file says, which has the last word on batch, height and width.
///
/// Table: encoding (batch, 2 N, height, width), axes (batch, channel, height, width). Correctly
/// rounded for Y and X as the doubles they are. Keeps N values for each different Y and X, and
/// eight bytes for each pixel of a mask; both are refused beyond 2^28.
/// Throws: UsageError; FileError and FormatError for the mask.
/// Source: Carion et al. 2020, arXiv:2005.12872, models/position_encoding.py of its code.
extern const Encoding detr;

}  // namespace pegen::encodings

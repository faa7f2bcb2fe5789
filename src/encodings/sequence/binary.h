#pragma once

#include "encodings/encoding.h"

namespace pegen::encodings {

/// The digits of the position in base 2:  PE[pos, b] = floor(pos / 2^b) mod 2,  pos = start ...
/// start + len - 1; bit 0, the fastest, comes first.
/// Shape: (len, bits), axes (position, bit). Exact in every dtype.
extern const Encoding binary;

}  // namespace pegen::encodings

#pragma once

#include "encodings/encoding.h"

namespace pegen::encodings {

/// The position as a part of the whole:  PE[pos, 0] = pos / (len - 1),  pos = 0 ... len - 1; the
/// single position of len 1 gives 0.  Shape: (len, 1), axes (position, channel).
/// Correctly rounded.
extern const Encoding normalized;

}  // namespace pegen::encodings

#pragma once

#include "encodings/encoding.h"

namespace pegen::encodings {

/// The position itself:  PE[row, 0] = position[row].  Shape: (len, 1), axes (position, channel).
/// Correctly rounded.  Throws: UsageError where the dtype cannot hold a position.
extern const Encoding index;

}  // namespace pegen::encodings

#pragma once

#include "encodings/encoding.h"

namespace pegen::encodings {

/// One wave:  PE[row, 0] = sin(position[row] / alpha),  PE[row, 1] = cos(position[row] / alpha), in
/// radians; with --function sin or cos only that one.
/// Shape: (len, 2) or (len, 1), axes (position, channel). Correctly rounded.
extern const Encoding periodic;

}  // namespace pegen::encodings

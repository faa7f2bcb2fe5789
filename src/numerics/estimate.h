#pragma once

#include <cmath>

#include "numerics/double_double.h"

namespace pegen::numerics {

/// A scaled sine and cosine, and how far they may be from the exact ones.
struct Estimate {
    DoubleDouble sin, cos;
    double sin_error, cos_error;
};

/// Whether errors that are a part of the scale neither overflow nor vanish.
inline bool is_moderate(double scale) {
    return scale == 0 || (std::fabs(scale) > 0x1p-900 && std::fabs(scale) < 0x1p900);
}

}  // namespace pegen::numerics

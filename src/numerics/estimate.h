#pragma once

#include <cmath>

#include "numerics/double_double.h"

namespace pegen::numerics {

/// A scaled sine and cosine, and how far each may be from the exact one.
struct Estimate {
    DoubleDouble sin, cos;
    double error;
};

/// Whether errors that are a part of the scale stay well within the exponents of every dtype, so
/// that no value vanishes, with its sign, before it is certain.
inline bool is_moderate(double scale) {
    return std::fabs(scale) > 0x1p-60 && std::fabs(scale) < 0x1p60;
}

}  // namespace pegen::numerics

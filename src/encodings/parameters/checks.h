#pragma once

#include <string_view>

#include "core/dtype.h"
#include "core/positions.h"
#include "numerics/frequencies.h"

namespace pegen::encodings {

/// Checks the angles position * frequency. Throws: UsageError, naming `options`, if an angle is
/// beyond numerics::largest_angle.
void check_angles(const Positions& positions, const numerics::Frequencies& frequencies,
                  std::string_view options);

/// Checks that the dtype can hold `value`. Throws: UsageError, naming `what`, if the magnitude of
/// `value` exceeds the largest finite number of `dtype`.
void check_holds(DType dtype, double value, std::string_view what);

}  // namespace pegen::encodings

#include "encodings/parameters/checks.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"
#include "core/number.h"
#include "numerics/sinusoid.h"

namespace pegen::encodings {

void check_angles(const Positions& positions, const numerics::Frequencies& frequencies,
                  std::string_view options) {
    const double angle = positions.largest() * frequencies.largest();
    if (angle <= numerics::largest_angle) return;
    throw UsageError(fmt::format("{}: an angle would be {} radians; they end at 2^100", options,
                                 shortest(angle)));
}

void check_holds(DType dtype, double value, std::string_view what) {
    if (std::fabs(value) <= info(dtype).largest) return;
    throw UsageError(fmt::format("--dtype {}: cannot hold {}, {}; its largest value is {}",
                                 info(dtype).name, what, shortest(value),
                                 shortest(info(dtype).largest)));
}

}  // namespace pegen::encodings

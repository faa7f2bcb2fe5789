#include "recognition/evidence/float32_number.h"

#include <cmath>

namespace pegen::evidence {

bool shows_float32(double value, double error) {
    const double magnitude = std::fabs(value), near = static_cast<float>(magnitude);
    constexpr double most_error = 0x1p-45, digits = 0x1p12;
    if (!std::isfinite(near) || !(error <= most_error * magnitude)) return false;
    if (std::fabs(magnitude - near) > error) return false;
    int exponent = 0;
    const double leading = digits * std::frexp(near, &exponent);
    return leading != std::rint(leading);
}

}  // namespace pegen::evidence

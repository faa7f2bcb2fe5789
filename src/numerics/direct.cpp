#include "numerics/direct.h"

#include <cmath>
#include <limits>

namespace pegen::numerics {
namespace {

// Where two doubles are enough for a frequency.
constexpr double largest_angle_of_two = 0x1p50;
constexpr double smallest_frequency_of_two = 0x1p-900;

}  // namespace

Estimate estimate_directly(double position, DoubleDouble frequency, double scale) {
    // angle = near + rest, near the nearest double.
    const double near = position * frequency.high;
    if (std::fabs(near) > largest_angle_of_two ||
        std::fabs(frequency.high) < smallest_frequency_of_two || !is_moderate(scale)) {
        constexpr double unknown = std::numeric_limits<double>::infinity();
        return {{0, 0}, {0, 0}, unknown, unknown};
    }
    const double rest = std::fma(position, frequency.high, -near) + position * frequency.low;
    // The rest is not small against 1 when the angle is large: the full theorem of addition.
    const double sin_near = std::sin(near), cos_near = std::cos(near);
    const double sin_rest = std::sin(rest), cos_rest = std::cos(rest);
    const double sc = sin_near * cos_rest, cs = cos_near * sin_rest;
    const double cc = cos_near * cos_rest, ss = sin_near * sin_rest;
    // Each product is off by up to 5 * 2^-53 of itself: two functions of 2 * 2^-53 and a rounding;
    // the sum and the scale add one each. Then the angle: the roundings of its rest, and what two
    // doubles leave of the frequency.
    constexpr double of_products = 0x1p-50;
    const double of_angle = std::fabs(rest) * 0x1p-51 + std::fabs(near) * 0x1p-104;
    const auto error = [&](double a, double b) {
        return std::fabs(scale) * ((std::fabs(a) + std::fabs(b)) * of_products + of_angle);
    };
    return {{scale * (sc + cs), 0}, {scale * (cc - ss), 0}, error(sc, cs), error(cc, ss)};
}

}  // namespace pegen::numerics

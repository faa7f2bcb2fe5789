#include "numerics/direct.h"

#include <cmath>
#include <limits>

namespace pegen::numerics {
namespace {

constexpr double largest_split_angle = 0x1p50;
constexpr double smallest_split_frequency = 0x1p-900;

}  // namespace

SplitFrequency split(const Real& frequency) {
    const double high = mpfr_get_d(frequency.get(), MPFR_RNDN);
    Real rest = frequency;
    mpfr_sub_d(rest.get(), rest.get(), high, MPFR_RNDN);
    return {high, mpfr_get_d(rest.get(), MPFR_RNDN)};
}

Estimate estimate_directly(double position, SplitFrequency frequency, double scale) {
    // angle = near + rest, near the nearest double.
    const double near = position * frequency.high;
    if (std::fabs(near) > largest_split_angle ||
        std::fabs(frequency.high) < smallest_split_frequency || !is_moderate(scale)) {
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

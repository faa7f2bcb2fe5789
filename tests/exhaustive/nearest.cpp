#include "nearest.h"

#include <algorithm>
#include <cmath>

#include "number.h"

namespace exhaustive {
namespace {

struct FloatingFormat {
    int bits;             ///< bits of the significand, including the leading one
    int lowest_exponent;  ///< exponent of the smallest normal number
};

FloatingFormat format_of(pegen::DType dtype) {
    switch (dtype) {
        case pegen::DType::float64:
            return {53, -1022};
        case pegen::DType::float16:
            return {11, -14};
        case pegen::DType::bfloat16:
            return {8, -126};
        default:
            return {24, -126};
    }
}

/// Returns the exponent of IEEE 754, one less than the exponent of MPFR, whose significands are
/// below 1.
int exponent_of(mpfr_srcptr value) { return static_cast<int>(mpfr_get_exp(value)) - 1; }

double nearest_half(const FloatingFormat& format, mpfr_srcptr exact) {
    Number rounded(format.bits);
    if (!mpfr_zero_p(exact) && exponent_of(exact) >= format.lowest_exponent) {
        mpfr_set(rounded.get(), exact, MPFR_RNDN);
        return mpfr_get_d(rounded.get(), MPFR_RNDN);
    }
    // Subnormal numbers have the spacing of the smallest normal numbers, so a sum in that range is
    // rounded correctly.
    const double shift =
        std::copysign(std::ldexp(1, format.lowest_exponent), mpfr_signbit(exact) ? -1 : 1);
    mpfr_add_d(rounded.get(), exact, shift, MPFR_RNDN);
    return std::copysign(mpfr_get_d(rounded.get(), MPFR_RNDN) - shift, shift);
}

}  // namespace

double nearest(pegen::DType dtype, mpfr_srcptr exact) {
    switch (dtype) {
        case pegen::DType::float64:
            return mpfr_get_d(exact, MPFR_RNDN);
        case pegen::DType::float32:
            return static_cast<double>(mpfr_get_flt(exact, MPFR_RNDN));
        default:
            return nearest_half(format_of(dtype), exact);
    }
}

double distance_to_midpoint(pegen::DType dtype, mpfr_srcptr exact) {
    if (mpfr_zero_p(exact)) return 0.5;
    const FloatingFormat format = format_of(dtype);
    Number difference(64);
    mpfr_sub_d(difference.get(), exact, nearest(dtype, exact), MPFR_RNDN);
    const int exponent = std::max(exponent_of(exact), format.lowest_exponent);
    const double ulps =
        std::ldexp(mpfr_get_d(difference.get(), MPFR_RNDN), format.bits - 1 - exponent);
    return 0.5 - std::fabs(ulps);
}

}  // namespace exhaustive

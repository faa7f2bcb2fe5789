#include "numerics/rotate.h"

#include "numerics/certain.h"
#include "numerics/clones.h"

namespace pegen::numerics {
namespace {

// How far values may be off, derived in docs/numerics.md: a part of the two products that are
// added, and what the rotations themselves are off by (see Ladder).
constexpr double error_of_doubles = 0x1p-50;
constexpr double error_of_double_doubles = 0x1p-97;
constexpr double error_of_rotations = 0x1p-91;

double error_bound(double first, double second, double bound, double part) {
    return bound * ((std::fabs(first) + std::fabs(second)) * part + error_of_rotations);
}

PEGEN_CLONES
bool rotate_floats(RotationArrays a, RotationArrays b, std::size_t size, double scale,
                   float* __restrict sin, float* __restrict cos) {
    const double bound = std::fabs(scale);
    unsigned uncertain = 0;
    for (std::size_t k = 0; k < size; ++k) {
        const double sc = a.sin_high[k] * b.cos_high[k], cs = a.cos_high[k] * b.sin_high[k];
        const double cc = a.cos_high[k] * b.cos_high[k], ss = a.sin_high[k] * b.sin_high[k];
        const double s = scale * (sc + cs), s_error = error_bound(sc, cs, bound, error_of_doubles);
        const double c = scale * (cc - ss), c_error = error_bound(cc, ss, bound, error_of_doubles);
        const auto s_low = static_cast<float>(s - s_error);
        const auto c_low = static_cast<float>(c - c_error);
        const auto s_high = static_cast<float>(s + s_error);
        const auto c_high = static_cast<float>(c + c_error);
        uncertain |=
            static_cast<unsigned>(s_low != s_high) | static_cast<unsigned>(c_low != c_high);
        sin[k] = s_high;
        cos[k] = c_high;
    }
    return uncertain == 0;
}

inline DoubleDouble scaled_sum(DoubleDouble first, DoubleDouble second, double scale) {
    return product(sum(first, second), {scale, 0});
}

inline DoubleDouble negative(DoubleDouble a) { return {-a.high, -a.low}; }

PEGEN_CLONES
bool rotate_doubles(RotationArrays a, RotationArrays b, std::size_t size, double scale,
                    double* __restrict sin, double* __restrict cos) {
    const double bound = std::fabs(scale);
    std::uint64_t uncertain = 0;
    for (std::size_t k = 0; k < size; ++k) {
        const DoubleDouble sc = product(a.sin(k), b.cos(k)), cs = product(a.cos(k), b.sin(k));
        const DoubleDouble cc = product(a.cos(k), b.cos(k)), ss = product(a.sin(k), b.sin(k));
        const DoubleDouble s = scaled_sum(sc, cs, scale), c = scaled_sum(cc, negative(ss), scale);
        const double s_error = error_bound(sc.high, cs.high, bound, error_of_double_doubles);
        const double c_error = error_bound(cc.high, ss.high, bound, error_of_double_doubles);
        const double s_low = s.high + (s.low - s_error), s_high = s.high + (s.low + s_error);
        const double c_low = c.high + (c.low - c_error), c_high = c.high + (c.low + c_error);
        uncertain |= static_cast<std::uint64_t>(s_low != s_high);
        uncertain |= static_cast<std::uint64_t>(c_low != c_high);
        sin[k] = s_high;
        cos[k] = c_high;
    }
    return uncertain == 0;
}

template <class Half>
bool rotate_halves(RotationArrays a, RotationArrays b, std::size_t size, double scale, Half* sin,
                   Half* cos) {
    const double bound = std::fabs(scale);
    bool is_certain = true;
    const auto round = [&](double first, double second) {
        const double value = scale * (first + second);
        const double error = error_bound(first, second, bound, error_of_doubles);
        const Half high = round_to<Half>(value + error);
        is_certain &= same_bits(high, round_to<Half>(value - error));
        return high;
    };
    for (std::size_t k = 0; k < size; ++k) {
        sin[k] = round(a.sin_high[k] * b.cos_high[k], a.cos_high[k] * b.sin_high[k]);
        cos[k] = round(a.cos_high[k] * b.cos_high[k], -a.sin_high[k] * b.sin_high[k]);
    }
    return is_certain;
}

}  // namespace

template <>
bool rotate<float>(const Rotations& a, const Rotations& b, double scale, std::span<float> sin,
                   std::span<float> cos) {
    return rotate_floats(a.arrays(), b.arrays(), a.size(), scale, sin.data(), cos.data());
}

template <>
bool rotate<double>(const Rotations& a, const Rotations& b, double scale, std::span<double> sin,
                    std::span<double> cos) {
    return rotate_doubles(a.arrays(), b.arrays(), a.size(), scale, sin.data(), cos.data());
}

template <>
bool rotate<float16>(const Rotations& a, const Rotations& b, double scale, std::span<float16> sin,
                     std::span<float16> cos) {
    return rotate_halves(a.arrays(), b.arrays(), a.size(), scale, sin.data(), cos.data());
}

template <>
bool rotate<bfloat16>(const Rotations& a, const Rotations& b, double scale, std::span<bfloat16> sin,
                      std::span<bfloat16> cos) {
    return rotate_halves(a.arrays(), b.arrays(), a.size(), scale, sin.data(), cos.data());
}

Estimate estimate(const Rotations& a, const Rotations& b, std::size_t k, double scale) {
    const RotationArrays x = a.arrays(), y = b.arrays();
    const DoubleDouble sc = product(x.sin(k), y.cos(k)), cs = product(x.cos(k), y.sin(k));
    const DoubleDouble cc = product(x.cos(k), y.cos(k)), ss = product(x.sin(k), y.sin(k));
    const double bound = std::fabs(scale);
    return {scaled_sum(sc, cs, scale), scaled_sum(cc, negative(ss), scale),
            error_bound(sc.high, cs.high, bound, error_of_double_doubles),
            error_bound(cc.high, ss.high, bound, error_of_double_doubles)};
}

}  // namespace pegen::numerics

#include "draws/glibc/single.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

namespace pegen::glibc {
namespace {

struct Reciprocal {
    double inverse;    ///< about 1 / c
    double logarithm;  ///< log c
};

/// Reciprocals and logarithms of numbers c in the middle of each sixteenth of an octave that begins
/// at 0x1.66p-1.
constexpr std::array<Reciprocal, 16> reciprocals{{
    {0x1.661ec79f8f3bep+0, -0x1.57bf7808caadep-2},
    {0x1.571ed4aaf883dp+0, -0x1.2bef0a7c06ddbp-2},
    {0x1.49539f0f010bp+0, -0x1.01eae7f513a67p-2},
    {0x1.3c995b0b80385p+0, -0x1.b31d8a68224e9p-3},
    {0x1.30d190c8864a5p+0, -0x1.6574f0ac07758p-3},
    {0x1.25e227b0b8eap+0, -0x1.1aa2bc79c81p-3},
    {0x1.1bb4a4a1a343fp+0, -0x1.a4e76ce8c0e5ep-4},
    {0x1.12358f08ae5bap+0, -0x1.1973c5a611cccp-4},
    {0x1.0953f419900a7p+0, -0x1.252f438e10c1ep-5},
    {0x1p+0, 0x0p+0},
    {0x1.e608cfd9a47acp-1, 0x1.aa5aa5df25984p-5},
    {0x1.ca4b31f026aap-1, 0x1.c5e53aa362eb4p-4},
    {0x1.b2036576afce6p-1, 0x1.526e57720db08p-3},
    {0x1.9c2d163a1aa2dp-1, 0x1.bc2860d22477p-3},
    {0x1.886e6037841edp-1, 0x1.1058bc8a07ee1p-2},
    {0x1.767dcf5534862p-1, 0x1.4043057b6ee09p-2},
}};

/// The values 2^(i/32) for i = 0 ... 31.
constexpr std::array<double, 32> thirty_seconds{
    0x1.p+0,
    0x1.059b0d3158574p+0,
    0x1.0b5586cf9890fp+0,
    0x1.11301d0125b51p+0,
    0x1.172b83c7d517bp+0,
    0x1.1d4873168b9aap+0,
    0x1.2387a6e756238p+0,
    0x1.29e9df51fdee1p+0,
    0x1.306fe0a31b715p+0,
    0x1.371a7373aa9cbp+0,
    0x1.3dea64c123422p+0,
    0x1.44e086061892dp+0,
    0x1.4bfdad5362a27p+0,
    0x1.5342b569d4f82p+0,
    0x1.5ab07dd485429p+0,
    0x1.6247eb03a5585p+0,
    0x1.6a09e667f3bcdp+0,
    0x1.71f75e8ec5f74p+0,
    0x1.7a11473eb0187p+0,
    0x1.82589994cce13p+0,
    0x1.8ace5422aa0dbp+0,
    0x1.93737b0cdc5e5p+0,
    0x1.9c49182a3f090p+0,
    0x1.a5503b23e255dp+0,
    0x1.ae89f995ad3adp+0,
    0x1.b7f76f2fb5e47p+0,
    0x1.c199bdd85529cp+0,
    0x1.cb720dcef9069p+0,
    0x1.d5818dcfba487p+0,
    0x1.dfc97337b9b5fp+0,
    0x1.ea4afa2a490dap+0,
    0x1.f50765b6e4540p+0,
};

/// Returns c[0] + c[1] x + ... by Horner's rule in single precision, each step rounded twice.
float polynomial(float x, std::span<const float> c) {
    float sum = c.back();
    for (std::size_t i = c.size() - 1; i-- > 0;) sum = c[i] + x * sum;
    return sum;
}

/// Returns the sine of x, or its cosine if is_odd. `x2` is the square of x.
float sine_or_cosine(double x, double x2, bool is_odd) {
    if (!is_odd) {
        const double x3 = x * x2;
        const double high = std::fma(x2, -0x1.994eb3774cf24p-13, 0x1.1107605230bc4p-7);
        return static_cast<float>(std::fma(x3 * x2, high, std::fma(x3, -0x1.555545995a603p-3, x)));
    }
    const double x4 = x2 * x2;
    const double high = std::fma(x2, 0x1.99343027bf8c3p-16, -0x1.6c087e89a359dp-10);
    const double low = std::fma(x2, -0x1.ffffffd0c621cp-2, 1);
    return static_cast<float>(std::fma(x4 * x2, high, std::fma(x4, 0x1.55553e1068f19p-5, low)));
}

struct Reduced {
    int quadrant;
    double rest;  ///< x - quadrant pi/2
};

Reduced reduced(double x) {
    const double scaled = x * 0x1.45F306DC9C883p+23;  // 2/pi 2^24
    const int quadrant = (static_cast<std::int32_t>(scaled) + 0x800000) >> 24;
    return {quadrant, std::fma(-quadrant, 0x1.921FB54442D18p0, x)};
}

constexpr float quarter_pi = 0x1.921FB6p-1F;

/// erf(1) to twelve bits; the polynomials add the rest.
constexpr float erf_of_one = 8.4506291151e-01F;

float erf_near_zero(float x) {
    constexpr std::array p{1.2837916613e-01F, -3.2504209876e-01F, -2.8481749818e-02F,
                           -5.7702702470e-03F, -2.3763017452e-05F};
    constexpr std::array q{1.0F,
                           3.9791721106e-01F,
                           6.5022252500e-02F,
                           5.0813062117e-03F,
                           1.3249473704e-04F,
                           -3.9602282413e-06F};
    const float z = x * x;
    return x + x * (polynomial(z, p) / polynomial(z, q));
}

float erf_near_one(float magnitude) {
    constexpr std::array p{-2.3621185683e-03F, 4.1485610604e-01F,  -3.7220788002e-01F,
                           3.1834661961e-01F,  -1.1089469492e-01F, 3.5478305072e-02F,
                           -2.1663755178e-03F};
    constexpr std::array q{1.0F,
                           1.0642088205e-01F,
                           5.4039794207e-01F,
                           7.1828655899e-02F,
                           1.2617121637e-01F,
                           1.3637083583e-02F,
                           1.1984500103e-02F};
    const float s = magnitude - 1;
    return erf_of_one + polynomial(s, p) / polynomial(s, q);
}

/// Returns log(x e^(x^2) erfc(x)) + 0.5625 for x = magnitude and s = 1 / x^2.
float erfc_exponent(float magnitude, float s) {
    constexpr std::array middle_p{-9.8649440333e-03F, -6.9385856390e-01F, -1.0558626175e+01F,
                                  -6.2375331879e+01F, -1.6239666748e+02F, -1.8460508728e+02F,
                                  -8.1287437439e+01F, -9.8143291473e+00F};
    constexpr std::array middle_q{1.0F,
                                  1.9651271820e+01F,
                                  1.3765776062e+02F,
                                  4.3456588745e+02F,
                                  6.4538726807e+02F,
                                  4.2900814819e+02F,
                                  1.0863500214e+02F,
                                  6.5702495575e+00F,
                                  -6.0424413532e-02F};
    constexpr std::array outer_p{-9.8649431020e-03F, -7.9928326607e-01F, -1.7757955551e+01F,
                                 -1.6063638306e+02F, -6.3756646729e+02F, -1.0250950928e+03F,
                                 -4.8351919556e+02F};
    constexpr std::array outer_q{1.0F,
                                 3.0338060379e+01F,
                                 3.2579251099e+02F,
                                 1.5367296143e+03F,
                                 3.1998581543e+03F,
                                 2.5530502930e+03F,
                                 4.7452853394e+02F,
                                 -2.2440952301e+01F};
    constexpr float middle_ends = 0x1.6db6dap+1F;  // 1 / 0.35
    return magnitude < middle_ends ? polynomial(s, middle_p) / polynomial(s, middle_q)
                                   : polynomial(s, outer_p) / polynomial(s, outer_q);
}

float erf_far_out(float magnitude) {
    const float rest = erfc_exponent(magnitude, 1 / (magnitude * magnitude));
    // The square of a number of twelve bits is exact.
    const float z = std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) & 0xfffff000U);
    const float r = exp(-z * z - 0.5625F) * exp((z - magnitude) * (z + magnitude) + rest);
    return 1 - r / magnitude;
}

}  // namespace

float log(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    if (x == 1) return 0;
    const std::uint32_t above = bits - 0x3f330000U;
    const Reciprocal& c = reciprocals[above >> 19 & 15];
    const int exponent = static_cast<std::int32_t>(above) >> 23;
    const double z = std::bit_cast<float>(bits - (above & 0xff800000U));
    const double r = std::fma(z, c.inverse, -1);
    const double sum = std::fma(exponent, 0x1.62e42fefa39efp-1, c.logarithm) + r;
    const double r2 = r * r;
    const double low = std::fma(0x1.5575b0be00b6ap-2, r, -0x1.ffffef20a4123p-2);
    return static_cast<float>(std::fma(std::fma(-0x1.00ea348b88334p-2, r2, low), r2, sum));
}

float exp(float x) {
    constexpr double per_unit = 0x1.71547652b82fep+0 * 32;  // 32 / log 2
    constexpr double shifter = 0x1.8p+52;                   // its last bit is worth 1
    const double shifted = std::fma(per_unit, x, shifter);
    const double whole = shifted - shifter;
    const double r = std::fma(per_unit, x, -whole);
    const auto steps = static_cast<std::int64_t>(whole);
    const double power = thirty_seconds[static_cast<std::size_t>(steps & 31)] *
                         std::bit_cast<double>((1023 + (steps >> 5)) << 52);
    const double high =
        std::fma(0x1.c6af84b912394p-5 / 32 / 32 / 32, r, 0x1.ebfce50fac4f3p-3 / 32 / 32);
    const double low = std::fma(0x1.62e42ff0c52d6p-1 / 32, r, 1);
    return static_cast<float>(std::fma(high, r * r, low) * power);
}

float sin(float x) {
    if (std::fabs(x) < 0x1p-12F) return x;
    const double wide = x;
    if (std::fabs(x) < quarter_pi) return sine_or_cosine(wide, wide * wide, false);
    const auto [quadrant, rest] = reduced(wide);
    const float magnitude = sine_or_cosine(rest, rest * rest, quadrant & 1);
    return quadrant & 2 ? -magnitude : magnitude;
}

float cos(float x) {
    if (std::fabs(x) < 0x1p-12F) return 1;
    const double wide = x;
    if (std::fabs(x) < quarter_pi) return sine_or_cosine(wide, wide * wide, true);
    const auto [quadrant, rest] = reduced(wide);
    const float magnitude = sine_or_cosine(rest, rest * rest, !(quadrant & 1));
    return (quadrant + 1) & 2 ? -magnitude : magnitude;
}

float erf(float x) {
    const float magnitude = std::fabs(x);
    if (magnitude < 0x1p-28F) {
        constexpr float slope_less_one = 1.2837916613e-01F;
        return x + slope_less_one * x;
    }
    if (magnitude < 0.84375F) return erf_near_zero(x);
    if (magnitude >= 6) return std::copysign(1.0F, x);
    return std::copysign(magnitude < 1.25F ? erf_near_one(magnitude) : erf_far_out(magnitude), x);
}

}  // namespace pegen::glibc

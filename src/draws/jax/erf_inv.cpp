#include "draws/jax/erf_inv.h"

#include <cmath>
#include <limits>

namespace pegen::jax {
namespace {

/// The polynomials' coefficients, the highest power first.
constexpr float centre[] = {2.81022636e-08F,  3.43273939e-07F, -3.5233877e-06F,
                            -4.39150654e-06F, 0.00021858087F,  -0.00125372503F,
                            -0.00417768164F,  0.246640727F,    1.50140941F};
constexpr float tail[] = {-0.000200214257F, 0.000100950558F, 0.00134934322F,
                          -0.00367342844F,  0.00573950773F,  -0.0076224613F,
                          0.00943887047F,   1.00167406F,     2.83297682F};

}  // namespace

float erf_inv(float y) {
    if (std::fabs(y) == 1) return std::copysign(std::numeric_limits<float>::infinity(), y);
    const float square = y * y;
    // The logarithm is computed in double precision, then rounded: correctly, for all squares of
    // JAX's normals.
    const auto w = static_cast<float>(-std::log1p(-static_cast<double>(square)));
    const bool is_centre = w < 5;
    const float x = is_centre ? w - 2.5F : std::sqrt(w) - 3;
    float sum = 0;
    for (const float coefficient : is_centre ? centre : tail) sum = std::fma(sum, x, coefficient);
    return sum * y;
}

}  // namespace pegen::jax

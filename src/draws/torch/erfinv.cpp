#include "draws/torch/erfinv.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "draws/glibc/single.h"

namespace pegen::torch {
namespace {

/// Returns a b + c, rounded once on the vector path, twice on the scalar path.
float multiply_add(float a, float b, float c, CodePath path) {
    return path == CodePath::vectors ? std::fma(a, b, c) : a * b + c;
}

/// Returns c[0] + c[1] x + ...
float polynomial(float x, std::span<const float> c, CodePath path) {
    float sum = c.back();
    for (std::size_t i = c.size() - 1; i-- > 0;) sum = multiply_add(sum, x, c[i], path);
    return sum;
}

float estimate(float y, CodePath path) {
    constexpr std::array centre_p{0.886226899F, -1.645349621F, 0.914624893F, -0.140543331F};
    constexpr std::array centre_q{1.0F, -2.118377725F, 1.442710462F, -0.329097515F, 0.012229801F};
    constexpr std::array tail_p{-1.970840454F, -1.624906493F, 3.429567803F, 1.641345311F};
    constexpr std::array tail_q{1.0F, 3.543889200F, 1.637067800F};
    const float magnitude = std::fabs(y);
    if (magnitude <= 0.7F) {
        const float z = y * y;
        return y * polynomial(z, centre_p, path) / polynomial(z, centre_q, path);
    }
    const float z = std::sqrt(-glibc::log((1 - magnitude) / 2));
    return std::copysign(polynomial(z, tail_p, path), y) / polynomial(z, tail_q, path);
}

}  // namespace

float erfinv(float y, CodePath path) {
    if (std::fabs(y) == 1) return std::copysign(std::numeric_limits<float>::infinity(), y);
    // The slope of erf at 0, not 2 / sqrt(pi) rounded once: PyTorch rounds the root first.
    const float slope = 2.0F / static_cast<float>(std::sqrt(std::numbers::pi));
    float x = estimate(y, path);
    for (int step = 0; step < 2; ++step) {
        x -= (glibc::erf(x) - y) / (slope * glibc::exp(-x * x));
    }
    return x;
}

}  // namespace pegen::torch

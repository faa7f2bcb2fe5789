#include "draws/torch/normal.h"

#include <bit>
#include <cmath>
#include <numbers>

#include "core/clones.h"
#include "draws/glibc/single.h"
#include "draws/torch/mt19937.h"

namespace pegen::torch {
namespace {

constexpr std::size_t block = 16;
constexpr std::size_t half = block / 2;

// The vector path uses the single-precision functions of the Cephes library. Every product that is
// added to something is fused with the addition, as compilers do in PyTorch's code.

/// Returns log x for 2^-24 <= x <= 1.
inline float cephes_log(float x) {
    const auto bits = std::bit_cast<std::int32_t>(x);
    float exponent = static_cast<float>((bits >> 23) - 126);
    const float fraction = std::bit_cast<float>((bits & 0x007fffff) | 0x3f000000);
    const bool is_low = fraction < 0.707106781186547524F;
    exponent -= is_low ? 1.0F : 0.0F;
    const float y = (fraction - 1) + (is_low ? fraction : 0.0F);
    const float y2 = y * y;
    float sum = 7.0376836292E-2F;
    sum = std::fma(sum, y, -1.1514610310E-1F);
    sum = std::fma(sum, y, 1.1676998740E-1F);
    sum = std::fma(sum, y, -1.2420140846E-1F);
    sum = std::fma(sum, y, 1.4249322787E-1F);
    sum = std::fma(sum, y, -1.6668057665E-1F);
    sum = std::fma(sum, y, 2.0000714765E-1F);
    sum = std::fma(sum, y, -2.4999993993E-1F);
    sum = std::fma(sum, y, 3.3333331174E-1F);
    sum = std::fma(sum * y, y2, exponent * -2.12194440e-4F);
    sum = std::fma(y2, -0.5F, sum);
    return std::fma(exponent, 0.693359375F, y + sum);
}

struct SineCosine {
    float sine;
    float cosine;
};

/// Returns the sine and the cosine of x. Precondition: 0 <= x <= 2 pi.
inline SineCosine cephes_sine_cosine(float x) {
    // The number of the octant that x is in, rounded up to an even number.
    const int octant = (static_cast<int>(x * 1.27323954473516F) + 1) & ~1;
    const auto eighths = static_cast<float>(octant);
    float y = std::fma(eighths, -0.78515625F, x);
    y = std::fma(eighths, -2.4187564849853515625e-4F, y);
    y = std::fma(eighths, -3.77489497744594108e-8F, y);
    const float y2 = y * y;
    float even = std::fma(2.443315711809948E-005F, y2, -1.388731625493765E-003F);
    even = std::fma(even, y2, 4.166664568298827E-002F) * y2;
    even = std::fma(even, y2, -(y2 * 0.5F)) + 1;
    float odd = std::fma(-1.9515295891E-4F, y2, 8.3321608736E-3F);
    odd = std::fma(odd, y2, -1.6666654611E-1F) * y2;
    odd = std::fma(odd, y, y);
    const bool is_swapped = octant & 2;
    const float sine = is_swapped ? even : odd;
    const float cosine = is_swapped ? odd : even;
    return {octant & 4 ? -sine : sine, (octant + 2) & 4 ? -cosine : cosine};
}

PEGEN_CLONES void transform_by_vectors(float* values, std::size_t count, float mean, float std) {
    constexpr auto turn = static_cast<float>(2 * std::numbers::pi);
    for (std::size_t at = 0; at < count; at += block) {
        for (std::size_t j = at; j < at + half; ++j) {
            const float radius = std::sqrt(-2 * cephes_log(1 - values[j]));
            const SineCosine direction = cephes_sine_cosine(turn * values[j + half]);
            values[j] = std::fma(radius * direction.cosine, std, mean);
            values[j + half] = std::fma(radius * direction.sine, std, mean);
        }
    }
}

void transform_by_scalars(std::span<float> values, float mean, float std) {
    for (std::size_t at = 0; at < values.size(); at += block) {
        for (std::size_t j = at; j < at + half; ++j) {
            const float radius = std::sqrt(-2 * glibc::log(1 - values[j]));
            const auto angle = static_cast<float>(2 * std::numbers::pi * values[j + half]);
            values[j] = radius * glibc::cos(angle) * std + mean;
            values[j + half] = radius * glibc::sin(angle) * std + mean;
        }
    }
}

}  // namespace

void uniforms_to_normals(std::span<float> values, float mean, float std, CodePath path) {
    if (path == CodePath::vectors) {
        transform_by_vectors(values.data(), values.size(), mean, std);
    } else {
        transform_by_scalars(values, mean, std);
    }
}

NormalPair normal_pair(Mt19937& generator) {
    const double angle = 2 * std::numbers::pi * unit_double(generator);
    const double radius = std::sqrt(-2 * std::log1p(-unit_double(generator)));
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

}  // namespace pegen::torch

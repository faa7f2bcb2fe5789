#include "draws/jax/fill.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/clones.h"

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

namespace {

/// Makes a float of [0, 1), a multiple of 2^-23.
[[gnu::always_inline]] inline float unit(std::uint32_t bits) {
    return std::bit_cast<float>(bits >> 9 | 0x3f800000U) - 1;
}

/// Fills in elements first, first + 1 ... of an array whose elements have their own counters.
PEGEN_CLONES void units_by_element(Words key, std::int64_t first, std::span<float> units) {
    for (std::size_t i = 0; i < units.size(); ++i) {
        const std::uint64_t index = static_cast<std::uint64_t>(first) + i;
        const Words words = threefry(
            key, {static_cast<std::uint32_t>(index >> 32), static_cast<std::uint32_t>(index)});
        units[i] = unit(words[0] ^ words[1]);
    }
}

/// Fills in elements first, first + 1 ... of an array of `size` elements. Element i of the first
/// half is made of the first word, and element i of the second half of the second word, of one
/// Threefry, whose counter is the indices of both elements. For an odd size, the last counter has 0
/// as its second index.
PEGEN_CLONES void units_by_half(Words key, std::int64_t first, std::int64_t size,
                                std::span<float> units) {
    const std::int64_t half = size - size / 2;
    for (std::size_t i = 0; i < units.size(); ++i) {
        const std::int64_t index = first + static_cast<std::int64_t>(i);
        const std::int64_t low = index < half ? index : index - half;
        const std::int64_t high = low + half < size ? low + half : 0;
        const Words words =
            threefry(key, {static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(high)});
        units[i] = unit(index < half ? words[0] : words[1]);
    }
}

/// Returns a fill whose values transform(std::span<float>) makes of uniforms.
template <class Transform>
TensorFill fill_of(const Draw& draw, Transform transform) {
    return [=](std::int64_t first, std::int64_t count, const TakeFloats& take) {
        std::array<float, floats_at_once> values;
        for (const std::int64_t end = first + count; first < end; first += floats_at_once) {
            const auto some = std::span(values).first(std::min(floats_at_once, end - first));
            if (draw.counting == Counting::elements) {
                units_by_element(draw.key, first, some);
            } else {
                units_by_half(draw.key, first, draw.size, some);
            }
            transform(some);
            take(some);
        }
    };
}

/// A map of [0, 1) to [low, high), as jax.random.uniform computes it.
struct Stretch {
    float low;
    float width;

    Stretch(float from, float to) : low(from), width(to - from) {}

    float operator()(float unit) const { return std::max(low, unit * width + low); }
};

constexpr auto sqrt2 = static_cast<float>(std::numbers::sqrt2);

/// Returns erf(x / sqrt(2)), the mass between -x and x of a normal.
float erf_of_normal(float x) {
    return static_cast<float>(std::erf(static_cast<double>(x / sqrt2)));
}

}  // namespace

TensorFill normal_fill(const Draw& draw, double mean, double std) {
    const Stretch stretch(std::nextafter(-1.0F, 0.0F), 1);
    const auto shift = static_cast<float>(mean), factor = static_cast<float>(std);
    return fill_of(draw, [=](std::span<float> values) {
        for (float& value : values) value = sqrt2 * erf_inv(stretch(value)) * factor + shift;
    });
}

TensorFill uniform_fill(const Draw& draw, double low, double high) {
    const Stretch stretch(static_cast<float>(low), static_cast<float>(high));
    return fill_of(draw, [=](std::span<float> values) {
        for (float& value : values) value = stretch(value);
    });
}

TensorFill glorot_uniform_fill(const Draw& draw, std::int64_t rows, std::int64_t columns) {
    const auto variance =
        static_cast<float>(2 / (static_cast<double>(rows) + static_cast<double>(columns)));
    const Stretch stretch(-1, 1);
    const float bound = std::sqrt(3 * variance);
    return fill_of(draw, [=](std::span<float> values) {
        for (float& value : values) value = stretch(value) * bound;
    });
}

TensorFill truncated_normal_fill(const Draw& draw, double mean, double std, double low,
                                 double high) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const auto lower = static_cast<float>((low - mean) / std);
    const auto upper = static_cast<float>((high - mean) / std);
    const Stretch stretch(erf_of_normal(lower), erf_of_normal(upper));
    const float least = std::nextafter(lower, infinity), most = std::nextafter(upper, -infinity);
    const auto shift = static_cast<float>(mean), factor = static_cast<float>(std);
    return fill_of(draw, [=](std::span<float> values) {
        for (float& value : values) {
            // JAX clips from below first.
            const float normal = std::min(std::max(sqrt2 * erf_inv(stretch(value)), least), most);
            value = normal * factor + shift;
        }
    });
}

}  // namespace pegen::jax

#include "draws/torch/fill.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "core/clones.h"
#include "core/shape.h"
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

namespace {

/// The number of normal values in a block, which is made from as many uniform values.
constexpr std::int64_t block = 16;

/// The number of values made at a time: whole blocks that fit the L1 cache.
constexpr std::int64_t chunk = 2048;

using Chunk = std::array<float, chunk>;

/// Returns the number of elements at the end of a tensor that only its overlapping last block
/// makes.
std::int64_t overlap(std::int64_t size) { return size % block == 0 ? 0 : block; }

/// Fills the first `count` values with uniforms and returns them.
std::span<float> uniforms(Mt19937& generator, Chunk& values, std::int64_t count) {
    const std::span some(values.data(), count);
    generator.draw_units(some);
    return some;
}

/// The parameters of a normal_fill.
struct NormalTensor {
    std::shared_ptr<Draws> draws;
    std::int64_t first_draw;
    std::int64_t size;
    float mean;
    float std;
    CodePath path;
};

/// Passes on elements first ... end - 1, made by the blocks that begin at multiples of 16.
void take_blocks(const NormalTensor& tensor, std::int64_t first, std::int64_t end,
                 const TakeFloats& take) {
    if (first >= end) return;
    const std::int64_t start = first / block * block;
    const std::int64_t stop = (end + block - 1) / block * block;
    Mt19937 generator = tensor.draws->from(tensor.first_draw + start, stop - start);
    Chunk values;
    for (std::int64_t at = start; at < stop; at += chunk) {
        const std::span some = uniforms(generator, values, std::min(chunk, stop - at));
        uniforms_to_normals(some, tensor.mean, tensor.std, tensor.path);
        const std::int64_t skipped = std::max<std::int64_t>(0, first - at);
        const std::int64_t taken = std::min<std::int64_t>(end - at, std::ssize(some)) - skipped;
        take(some.subspan(skipped, taken));
    }
}

/// Passes on elements first ... end - 1, made by the block that ends where the tensor ends.
void take_last_block(const NormalTensor& tensor, std::int64_t first, std::int64_t end,
                     const TakeFloats& take) {
    if (first >= end) return;
    Mt19937 generator = tensor.draws->from(tensor.first_draw + tensor.size, block);
    Chunk values;
    const std::span some = uniforms(generator, values, block);
    uniforms_to_normals(some, tensor.mean, tensor.std, tensor.path);
    take(some.subspan(first - (tensor.size - block), end - first));
}

constexpr std::int64_t draws_per_pair = 4;

/// Returns the normals of a tensor of less than 16 elements, made in pairs from draw `first_draw`
/// on; without the first normal if an earlier call has used it.
TensorFill few_normals(Draws& draws, std::int64_t first_draw, bool is_first_used, std::int64_t size,
                       double mean, double std) {
    Mt19937 generator = draws.from(first_draw, 0);
    std::vector<float> values;
    while (std::ssize(values) < size + (is_first_used ? 1 : 0)) {
        const auto [first, second] = normal_pair(generator);
        values.push_back(static_cast<float>(first * std + mean));
        values.push_back(static_cast<float>(second * std + mean));
    }
    if (is_first_used) values.erase(values.begin());
    return [values](std::int64_t first, std::int64_t count, const TakeFloats& take) {
        take(std::span(values).subspan(first, count));
    };
}

/// Returns a tensor whose elements `transform` makes, in place, from the uniforms of draw
/// `first_draw` and the following draws.
template <class Transform>
TensorFill elementwise_fill(std::shared_ptr<Draws> draws, std::int64_t first_draw,
                            Transform transform) {
    return [=, draws = std::move(draws)](std::int64_t first, std::int64_t count,
                                         const TakeFloats& take) {
        Mt19937 generator = draws->from(first_draw + first, count);
        Chunk values;
        for (std::int64_t done = 0; done < count; done += chunk) {
            const std::span some = uniforms(generator, values, std::min(chunk, count - done));
            transform(some);
            take(some);
        }
    };
}

/// Returns the distribution function of the standard normal distribution at x.
double normal_cdf(double x) { return (1 + std::erf(x / std::sqrt(2.0))) / 2; }

PEGEN_CLONES void multiply_add_all(float* values, std::size_t count, float factor, float summand) {
    for (std::size_t i = 0; i < count; ++i) values[i] = std::fma(values[i], factor, summand);
}

/// A map of [0, 1) to [low, high).
struct Stretch {
    float low;
    float width;
    CodePath path;

    Stretch(double from, double to, CodePath chosen)
        : low(static_cast<float>(from)), width(static_cast<float>(to) - low), path(chosen) {}

    void operator()(std::span<float> values) const {
        if (path == CodePath::vectors) {
            multiply_add_all(values.data(), values.size(), width, low);
        } else {
            for (float& value : values) value = value * width + low;
        }
    }
};

}  // namespace

std::int64_t draws_of_normal_fills(std::int64_t fills, std::int64_t size) {
    constexpr const char* what = "the draws before the table";
    if (size < block) {
        return checked_product((checked_product(fills, size, what) + 1) / 2, draws_per_pair, what);
    }
    return checked_product(fills, size + overlap(size), what);
}

TensorFill normal_fill(std::shared_ptr<Draws> draws, std::int64_t fills_before, std::int64_t size,
                       double mean, double std, CodePath path) {
    if (size < block) {
        const std::int64_t normals_before = fills_before * size;
        return few_normals(*draws, normals_before / 2 * draws_per_pair, normals_before % 2 == 1,
                           size, mean, std);
    }
    return normal_fill_from(std::move(draws), draws_of_normal_fills(fills_before, size), size, mean,
                            std, path);
}

TensorFill normal_fill_from(std::shared_ptr<Draws> draws, std::int64_t first_draw,
                            std::int64_t size, double mean, double std, CodePath path) {
    if (size < block) return few_normals(*draws, first_draw, false, size, mean, std);
    const NormalTensor tensor{std::move(draws),        first_draw, size, static_cast<float>(mean),
                              static_cast<float>(std), path};
    return [tensor](std::int64_t first, std::int64_t count, const TakeFloats& take) {
        const std::int64_t blocks_end = tensor.size - overlap(tensor.size);
        const std::int64_t end = first + count;
        take_blocks(tensor, first, std::min(end, blocks_end), take);
        take_last_block(tensor, std::max(first, blocks_end), end, take);
    };
}

TensorFill uniform_fill(std::shared_ptr<Draws> draws, std::int64_t first_draw, double low,
                        double high, CodePath path) {
    return elementwise_fill(std::move(draws), first_draw, Stretch(low, high, path));
}

TensorFill truncated_normal_fill(std::shared_ptr<Draws> draws, std::int64_t first_draw, double mean,
                                 double std, double low, double high, CodePath path) {
    const Stretch stretch(2 * normal_cdf((low - mean) / std) - 1,
                          2 * normal_cdf((high - mean) / std) - 1, path);
    const auto factor = static_cast<float>(std * std::sqrt(2.0));
    const auto shift = static_cast<float>(mean);
    const auto lowest = static_cast<float>(low);
    const auto highest = static_cast<float>(high);
    return elementwise_fill(std::move(draws), first_draw, [=](std::span<float> values) {
        stretch(values);
        for (float& value : values) {
            value = std::clamp(erfinv(value, path) * factor + shift, lowest, highest);
        }
    });
}

}  // namespace pegen::torch

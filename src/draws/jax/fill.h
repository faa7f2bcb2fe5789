#pragma once

#include <array>
#include <cstdint>

#include "core/tensor_fill.h"

namespace pegen::jax {

using Words = std::array<std::uint32_t, 2>;

/// Returns Threefry-2x32 of a counter, with 20 rounds: bits without a pattern, which differ for
/// each key and counter.
/// Source: Salmon et al. 2011, SC'11, "Parallel random numbers: as easy as 1, 2, 3".
[[gnu::always_inline]] constexpr Words threefry(const Words& key, Words counter) {
    constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    constexpr std::uint32_t parity = 0x1bd11bda;
    const std::uint32_t keys[3] = {key[0], key[1], key[0] ^ key[1] ^ parity};
    std::uint32_t x = counter[0] + keys[0], y = counter[1] + keys[1];
    for (std::uint32_t group = 0; group < 5; ++group) {
        for (const int rotation : rotations[group % 2]) {
            x += y;
            y = (y << rotation | y >> (32 - rotation)) ^ x;
        }
        x += keys[(group + 1) % 3];
        y += keys[(group + 2) % 3] + group + 1;
    }
    return {x, y};
}

/// Returns the inverse of erf in single precision, as XLA computes it: a polynomial of w =
/// -log(1 - y^2), or of its root where w >= 5. The logarithm is correctly rounded, and each product
/// is added in one rounding; versions of XLA differ in both, and so in a few units in the last
/// place. Source: Giles 2012, GPU Computing Gems, chapter 10. Infinite for y = -1 and 1.
/// Precondition: |y| <= 1.
float erf_inv(float y);

// The arrays that jax.random makes from a key, in float32, computed when elements are read.

/// The way in which the elements of an array get their counters.
enum class Counting {
    elements,  ///< each element has its own: jax_threefry_partitionable, the default since JAX 0.5
    halves,    ///< one element of each half share a counter: the default before JAX 0.5
};

/// An array drawn from one key.
struct Draw {
    Words key;
    std::int64_t size;  ///< below 2^32 with Counting::halves
    Counting counting;
};

/// Returns the words of jax.random.key(seed): the second has the low 32 bits of the seed, and the
/// first, without jax_enable_x64, is 0.
constexpr Words key_of(std::int64_t seed) { return {0, static_cast<std::uint32_t>(seed)}; }

/// Returns mean + std * jax.random.normal(key, shape).
TensorFill normal_fill(const Draw& draw, double mean, double std);

/// Returns jax.random.uniform(key, shape, minval=low, maxval=high).
TensorFill uniform_fill(const Draw& draw, double low, double high);

/// Returns jax.nn.initializers.glorot_uniform()(key, (rows, columns)): draws from -1 to 1, times
/// the bound.
TensorFill glorot_uniform_fill(const Draw& draw, std::int64_t rows, std::int64_t columns);

/// Returns mean + std * jax.random.truncated_normal(key, (low - mean) / std, (high - mean) / std,
/// shape).
TensorFill truncated_normal_fill(const Draw& draw, double mean, double std, double low,
                                 double high);

}  // namespace pegen::jax

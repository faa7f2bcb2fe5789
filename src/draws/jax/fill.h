#pragma once

#include <cstdint>

#include "core/tensor_fill.h"
#include "draws/jax/threefry.h"

// The arrays that jax.random makes from a key, in float32, computed when elements are read.
namespace pegen::jax {

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

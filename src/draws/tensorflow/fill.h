#pragma once

#include <array>
#include <cstdint>

#include "core/tensor_fill.h"

namespace pegen::tensorflow {

using Key = std::array<std::uint32_t, 2>;
using Block = std::array<std::uint32_t, 4>;

/// Returns Philox-4x32 of a counter, with 10 rounds: bits without a pattern, which differ for each
/// key and counter.
/// Source: Salmon et al. 2011, SC'11, "Parallel random numbers: as easy as 1, 2, 3".
[[gnu::always_inline]] constexpr Block philox(Key key, Block counter) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t first = std::uint64_t{0xd2511f53} * counter[0];
        const std::uint64_t second = std::uint64_t{0xcd9e8d57} * counter[2];
        counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0],
                   static_cast<std::uint32_t>(second),
                   static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1],
                   static_cast<std::uint32_t>(first)};
        key = {key[0] + 0x9e3779b9, key[1] + 0xbb67ae85};
    }
    return counter;
}

// The tensors that tf.random.stateless_normal and its like make from a seed of two numbers on a
// CPU, in float32, computed when elements are read. Logarithms, sines and cosines are glibc's, as
// in TensorFlow's builds for Linux.

/// The key and the first counter that a seed determines.
struct Draw {
    Key key;
    Block counter;  ///< the first one; its first two words are 0
};

/// Returns the key and the counter of seed=[first, second].
Draw draw_of(std::int64_t first, std::int64_t second);

/// Returns the words that draws are made of: four for each counter.
Block words_of(const Draw& draw, std::int64_t block);

/// Returns tf.random.stateless_normal(shape, seed, mean, std).
TensorFill normal_fill(const Draw& draw, double mean, double std);

/// Returns tf.random.stateless_uniform(shape, seed, low, high).
TensorFill uniform_fill(const Draw& draw, double low, double high);

/// Returns keras.initializers.GlorotUniform's tensor (rows, columns).
TensorFill glorot_uniform_fill(const Draw& draw, std::int64_t rows, std::int64_t columns);

/// Returns tf.random.stateless_truncated_normal(shape, seed, mean, std): normals that are more than
/// two deviations away are drawn again.
TensorFill truncated_normal_fill(const Draw& draw, double mean, double std);

}  // namespace pegen::tensorflow

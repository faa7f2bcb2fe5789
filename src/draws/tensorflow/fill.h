#pragma once

#include <cstdint>

#include "core/tensor_fill.h"
#include "draws/tensorflow/philox.h"

// The tensors that tf.random.stateless_normal and its like make from a seed of two numbers on a
// CPU, in float32, computed when elements are read. Logarithms, sines and cosines are glibc's, as
// in TensorFlow's builds for Linux.
namespace pegen::tensorflow {

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

#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "core/parameters.h"
#include "core/tensor_fill.h"
#include "draws/jax/fill.h"
#include "draws/numpy/generators.h"
#include "encodings/parameters/initializer.h"

// The random generators with which tables are drawn.
namespace pegen::encodings {

/// The parameter --rng where it includes the generators of other libraries than PyTorch.
inline constexpr ParameterSpec any_rng_parameter{
    .name = "rng",
    .type = ParameterType::word,
    .default_value = "torch",
    .choices = "torch torch-scalar numpy numpy-legacy jax jax-legacy tensorflow",
    .summary =
        "PyTorch's CPU random numbers, as computed with AVX2 or without; NumPy's "
        "default_rng(seed), or RandomState(seed); jax.random's since JAX 0.5, or before; "
        "TensorFlow's for seed=[seed, 0], and Keras's for seed"};

/// TensorFlow's stateless random operations.
struct Stateless {};

/// The generator that --rng names.
using Generator = std::variant<torch::CodePath, numpy::Generator, jax::Counting, Stateless>;

/// Returns the generator that --rng names. Throws: UsageError if it does not accept the value of
/// --seed.
Generator generator_of(const Parameters& parameters);

/// Checks the draw. Throws: UsageError if the generator has no such distribution or cannot draw
/// `count` values of it.
void check_draws(const Generator& generator, const Initializer& initializer, std::int64_t count);

/// Draws `count` values from normal(mean, std) or uniform(low, high), or returns `count` copies of
/// the constant. Precondition: check_draws() has passed.
std::vector<double> drawn_by_numpy(const Initializer& initializer, numpy::Stream& stream,
                                   std::int64_t count);

/// Returns "JAX" or "TensorFlow" if the generator draws each array from its own seed, independent
/// of earlier draws; "" for other libraries.
std::string_view library_without_state(const Generator& generator);

/// Returns an array (rows, columns) as a library without state draws it: jax.random or
/// jax.nn.initializers with the key of `seed`, or tf.random.stateless_... with seed=[seed, 0], or
/// Keras's initializers with `seed`. Preconditions: check_draws() has passed;
/// library_without_state() is not "".
TensorFill stateless_tensor(const Initializer& initializer, std::int64_t rows, std::int64_t columns,
                            std::int64_t seed, const Generator& generator);

}  // namespace pegen::encodings

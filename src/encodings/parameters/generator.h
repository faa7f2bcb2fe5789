#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "core/parameters.h"
#include "core/tensor_fill.h"
#include "encodings/parameters/initializer.h"
#include "jax/fill.h"
#include "numpy/generators.h"

// Whose random numbers a table is drawn with.
namespace pegen::encodings {

/// --rng, where the generators of other libraries than PyTorch may be asked for, too.
inline constexpr ParameterSpec any_rng_parameter{
    .name = "rng",
    .type = ParameterType::word,
    .default_value = "torch",
    .choices = "torch torch-scalar numpy numpy-legacy jax jax-legacy tensorflow",
    .summary =
        "PyTorch's CPU random numbers, as computed with AVX2 or without; NumPy's "
        "default_rng(seed), or RandomState(seed); jax.random's since JAX 0.5, or before; "
        "TensorFlow's for seed=[seed, 0], and Keras's for seed"};

/// TensorFlow's operations without a state.
struct Stateless {};

/// What --rng names.
using Generator = std::variant<torch::CodePath, numpy::Generator, jax::Counting, Stateless>;

/// Returns what --rng names. Throws: UsageError if it does not take --seed.
Generator generator_of(const Parameters& parameters);

/// Throws: UsageError if the generator has no such distribution, or draws no `count` values of it.
void check_draws(const Generator& generator, const Initializer& initializer, std::int64_t count);

/// Draws `count` values: normal(mean, std), uniform(low, high), or the constant.
/// Precondition: check_draws.
std::vector<double> drawn_by_numpy(const Initializer& initializer, numpy::Stream& stream,
                                   std::int64_t count);

/// Returns "JAX" or "TensorFlow" if the library draws each array from a seed of its own, whatever
/// was drawn before; "" for others.
std::string_view library_without_state(const Generator& generator);

/// Returns the (rows, columns) array that such a library draws: jax.random or jax.nn.initializers
/// with the key of `seed`; tf.random.stateless_... with seed=[seed, 0], or Keras's initializers
/// with `seed`. Precondition: check_draws; library_without_state is not "".
TensorFill stateless_tensor(const Initializer& initializer, std::int64_t rows, std::int64_t columns,
                            std::int64_t seed, const Generator& generator);

}  // namespace pegen::encodings

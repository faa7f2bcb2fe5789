#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "core/parameters.h"
#include "core/tensor_fill.h"
#include "draws/jax/fill.h"
#include "draws/numpy/generators.h"
#include "draws/torch/fill.h"

namespace pegen::encodings {

/// A distribution that --init names, with its numbers.
struct Initializer {
    enum class Kind { normal, uniform, trunc_normal, constant, xavier_uniform };

    Kind kind;
    std::vector<double> numbers;  ///< as in "normal:mean,std", with all defaults filled in
};

inline constexpr ParameterSpec init_parameter{
    .name = "init",
    .type = ParameterType::text,
    .default_value = "normal:0,1",
    .summary =
        "distribution: normal:MEAN,STD, uniform:LOW,HIGH, trunc-normal:MEAN,STD,LOW,HIGH, "
        "constant:X or xavier-uniform; numbers may be expressions of d"};

inline constexpr ParameterSpec seed_parameter{
    .name = "seed",
    .type = ParameterType::integer,
    .default_value = "0",
    .range = any_position,
    .summary = "the argument of torch.manual_seed; only its low 32 bits matter"};

inline constexpr ParameterSpec rng_parameter{
    .name = "rng",
    .type = ParameterType::word,
    .default_value = "torch",
    .choices = "torch torch-scalar",
    .summary = "PyTorch's CPU random numbers: as computed with AVX2, or without"};

/// Reads `text`, the value of --option, as an Initializer for rows of `d` channels. Throws:
/// UsageError with the valid forms, or with the rule that a number breaks.
Initializer parse_initializer(std::string_view text, std::int64_t d,
                              std::string_view option = "init");

/// Returns an upper bound of the magnitude of the values.
double largest_value(const Initializer& initializer);

/// Returns a tensor whose elements all have this value.
TensorFill constant_fill(double value);

/// Returns the code path of PyTorch that --rng names.
torch::CodePath code_path(const Parameters& parameters);

/// Returns the (len, d) tensor that the initializer draws, after torch.manual_seed(seed) and `burn`
/// calls of normal_ on tensors of the same size.
TensorFill initialized_tensor(const Initializer& initializer, std::int64_t len, std::int64_t d,
                              std::int64_t seed, std::int64_t burn, torch::CodePath path);

/// Returns the (rows, columns) tensor that the initializer draws. Its first draw is number
/// `first_draw` of the 32-bit draws after torch.manual_seed(seed).
TensorFill tensor_from_draw(const Initializer& initializer, std::int64_t rows, std::int64_t columns,
                            std::int64_t seed, std::int64_t first_draw, torch::CodePath path);

/// Returns the number of 32-bit draws for such a tensor.
std::int64_t draws_of(const Initializer& initializer, std::int64_t rows, std::int64_t columns);

/// Returns the (len, d) tensor that the initializer draws, after torch.manual_seed(seed) and the
/// drawing of `before` tensors of the same size with the same initializer.
TensorFill later_tensor(const Initializer& initializer, std::int64_t len, std::int64_t d,
                        std::int64_t seed, std::int64_t before, torch::CodePath path);

// The random generators with which tables are drawn.

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

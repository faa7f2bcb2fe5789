#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "torch/fill.h"

namespace pegen::encodings {

/// The meaning of --init.
struct Initializer {
    enum class Kind { normal, uniform, trunc_normal, constant, xavier_uniform };

    Kind kind;
    std::vector<double> numbers;  ///< as in "normal:mean,std", none missing
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

/// Reads `text` as an Initializer for rows of `d` channels, the value of --option.
/// Throws: UsageError with the forms there are, or the rule a number breaks.
Initializer parse_initializer(std::string_view text, std::int64_t d,
                              std::string_view option = "init");

/// Returns a bound of the values' magnitude.
double largest_value(const Initializer& initializer);

/// Returns a tensor of one value.
TensorFill constant_fill(double value);

/// Returns PyTorch's code path that --rng names.
torch::CodePath code_path(const Parameters& parameters);

/// Returns the (len, d) tensor after the initializer, `burn` calls of normal_ on tensors of that
/// size after torch.manual_seed(seed).
TensorFill initialized_tensor(const Initializer& initializer, std::int64_t len, std::int64_t d,
                              std::int64_t seed, std::int64_t burn, torch::CodePath path);

/// Returns the (rows, columns) tensor after the initializer, whose first draw of 32 bits after
/// torch.manual_seed(seed) is `first_draw`.
TensorFill tensor_from_draw(const Initializer& initializer, std::int64_t rows, std::int64_t columns,
                            std::int64_t seed, std::int64_t first_draw, torch::CodePath path);

/// Returns how many draws of 32 bits such a tensor takes.
std::int64_t draws_of(const Initializer& initializer, std::int64_t rows, std::int64_t columns);

/// Returns the (len, d) tensor after the initializer that was called on `before` tensors of that
/// size before, right after torch.manual_seed(seed).
TensorFill later_tensor(const Initializer& initializer, std::int64_t len, std::int64_t d,
                        std::int64_t seed, std::int64_t before, torch::CodePath path);

}  // namespace pegen::encodings

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/parameters.h"
#include "encodings/parameters/initializer.h"
#include "numpy/generators.h"

// Tables that NumPy draws, instead of PyTorch.
namespace pegen::encodings {

/// --rng, where NumPy's generators may be asked for, too.
inline constexpr ParameterSpec any_rng_parameter{
    .name = "rng",
    .type = ParameterType::word,
    .default_value = "torch",
    .choices = "torch torch-scalar numpy numpy-legacy",
    .summary =
        "PyTorch's CPU random numbers, as computed with AVX2 or without; NumPy's "
        "default_rng(seed), or RandomState(seed)"};

/// Returns NumPy's generator, if --rng names one. Throws: UsageError if it does not take --seed.
std::optional<numpy::Generator> numpy_generator(const Parameters& parameters);

/// Throws: UsageError if NumPy has no such distribution.
void check_of_numpy(const Initializer& initializer);

/// Draws `count` values: normal(mean, std), uniform(low, high), or the constant.
/// Precondition: check_of_numpy(initializer).
std::vector<double> drawn_by_numpy(const Initializer& initializer, numpy::Stream& stream,
                                   std::int64_t count);

}  // namespace pegen::encodings

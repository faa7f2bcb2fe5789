#pragma once

#include <string_view>
#include <vector>

#include "core/parameters.h"

// The choice between the exact formula and the float32 arithmetic of other code.
namespace pegen::encodings {

/// Returns the parameter --arith; exact is the first of its choices.
constexpr ParameterSpec arith_parameter(std::string_view choices, std::string_view summary) {
    return {.name = "arith",
            .aliases = "compute",
            .type = ParameterType::word,
            .default_value = "exact",
            .choices = choices,
            .summary = summary};
}

bool is_exact(const Parameters& parameters);

/// Returns the nearest float32. Throws: UsageError, naming the parameter `name`, if the value is
/// beyond the normal float32 numbers.
float to_float32(std::string_view name, double value);

/// Returns the frequencies. Throws: UsageError if one of them is not finite.
std::vector<float> checked_frequencies(std::vector<float> frequencies);

}  // namespace pegen::encodings

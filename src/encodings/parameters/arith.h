#pragma once

#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "numerics/frequencies.h"

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

/// The same for encodings that seldom need it, with the choices exact and float32.
constexpr ParameterSpec rare_arith_parameter(std::string_view summary) {
    ParameterSpec parameter = arith_parameter("exact float32", summary);
    parameter.is_rare = true;
    return parameter;
}

bool is_exact(const Parameters& parameters);

/// Returns the nearest float32. Throws: UsageError, naming the parameter `name`, if the value is
/// beyond the normal float32 numbers.
float to_float32(std::string_view name, double value);

/// Throws: UsageError, naming `options`, if a result of this size is beyond the float32 numbers.
void check_float32(double size, std::string_view options);

/// Returns the numbers. Throws: UsageError if one of them is not finite.
std::vector<float> checked_frequencies(std::vector<float> frequencies);

/// Returns  base^(u / (width - shift))  for u = 0, step, 2 step ...: the quotient and the power
/// each rounded to float32. Throws: UsageError, naming the parameter `name`, if the base is no
/// normal float32 number.
std::vector<float> float32_powers(std::string_view name,
                                  const numerics::GeometricProgression& progression);

/// Returns the frequencies that such code makes of them: 1 / powers; where the base is below 1 the
/// powers of 1 / base, as code whose frequencies grow has them. Throws: as float32_powers(); and if
/// a frequency is not finite.
std::vector<float> float32_frequencies(std::string_view name,
                                       numerics::GeometricProgression progression);

/// Returns these numbers as frequencies.
numerics::Frequencies exactly(std::vector<float> frequencies);

}  // namespace pegen::encodings

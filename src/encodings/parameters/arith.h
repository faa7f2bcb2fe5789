#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "core/dtype.h"
#include "core/parameters.h"
#include "core/positions.h"
#include "numerics/float32_angles.h"
#include "numerics/frequencies.h"

namespace pegen::encodings {

/// Checks the angles position * frequency. Throws: UsageError, naming `options`, if an angle is
/// beyond numerics::largest_angle.
void check_angles(const Positions& positions, const numerics::Frequencies& frequencies,
                  std::string_view options);

/// Checks that the dtype can hold `value`. Throws: UsageError, naming `what`, if the magnitude of
/// `value` exceeds the largest finite number of `dtype`.
void check_holds(DType dtype, double value, std::string_view what);

// The choice between the exact formula and float32 arithmetic as in other code.

/// Returns the parameter --arith with these choices, the first of which is exact.
constexpr ParameterSpec arith_parameter(std::string_view choices, std::string_view summary) {
    return {.name = "arith",
            .aliases = "compute",
            .type = ParameterType::word,
            .default_value = "exact",
            .choices = choices,
            .summary = summary,
            .role = Role::arithmetic};
}

/// Returns the parameter --arith with the choices exact and float32, for encodings that seldom need
/// it.
constexpr ParameterSpec rare_arith_parameter(std::string_view summary) {
    ParameterSpec parameter = arith_parameter("exact float32", summary);
    parameter.is_rare = true;
    return parameter;
}

/// The parameter --rounded, for encodings whose --arith has bfloat16 and float16 among its choices.
inline constexpr ParameterSpec rounded_parameter{
    .name = "rounded",
    .type = ParameterType::word,
    .default_value = "all",
    .choices =
        "all positions frequencies angles positions-frequencies positions-angles "
        "frequencies-angles",
    .summary = "with --arith bfloat16 and float16: what is rounded to it before sin and cos",
    .is_rare = true};

bool is_exact(const Parameters& parameters);

/// Checks that --rounded goes with --arith. Throws: UsageError.
void check_rounded(const Parameters& parameters);

/// Checks that a format of 16 bits holds the positions and angles that --arith and --rounded round
/// to it. Throws: UsageError.
void check_narrow_angles(const Parameters& parameters, const Positions& positions,
                         const std::function<numerics::Frequencies()>& frequencies);

/// Returns the frequencies, rounded to the format of 16 bits if --arith and --rounded say so.
std::vector<float> rounded_by(const Parameters& parameters, std::vector<float> frequencies);

/// Returns the angles position * factor * frequency in float32 or, as --arith and --rounded say,
/// with some of these numbers rounded to a format of 16 bits.
numerics::Float32Angles angles_by(const Parameters& parameters, const Positions& positions,
                                  std::vector<float> frequencies, float factor = 1);

/// Returns the float32 number nearest to `value`. Throws: UsageError, naming the parameter `name`,
/// if the value is beyond the normal float32 numbers.
float to_float32(std::string_view name, double value);

/// Checks that a result of magnitude `size` is in the range of float32. Throws: UsageError, naming
/// `options`.
void check_float32(double size, std::string_view options);

/// Returns `frequencies` unchanged. Throws: UsageError if one of them is not finite.
std::vector<float> checked_frequencies(std::vector<float> frequencies);

/// Returns base^(u / (width - shift)) for u = 0, step, 2 step ...: the quotient and the power each
/// rounded to float32. Throws: UsageError, naming the parameter `name`, if the base is not a normal
/// float32 number.
std::vector<float> float32_powers(std::string_view name,
                                  const numerics::GeometricProgression& progression);

/// Returns the frequencies 1 / p for the powers p of float32_powers(), as float32 code computes
/// them. If the base is below 1, returns the powers of 1 / base instead, as code with growing
/// frequencies does. Throws: as float32_powers(); also if a frequency is not finite.
std::vector<float> float32_frequencies(std::string_view name,
                                       numerics::GeometricProgression progression);

/// Returns the float32 numbers, unrounded, as frequencies.
numerics::Frequencies exactly(std::vector<float> frequencies);

}  // namespace pegen::encodings

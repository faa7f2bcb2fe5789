#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "numerics/real.h"

// The scaling types of RoPE, with the names and parameters of Hugging Face's configurations.
namespace pegen::encodings {

inline constexpr ParameterSpec scaling_parameter{
    .name = "scaling",
    .aliases = "rope-type",
    .type = ParameterType::word,
    .default_value = "none",
    .choices = "none default linear dynamic ntk part-ntk yarn longrope su llama3 proportional",
    .summary = "how frequencies are scaled for longer contexts"};

/// Returns the condition of a parameter that these scaling types use.
constexpr UsedWith scalings(std::string_view types) { return {"scaling", types}; }

/// The parameters of the scaling types, including --scaling itself.
inline constexpr std::array scaling_parameters{
    scaling_parameter,
    ParameterSpec{
        .name = "factor",
        .aliases = "scaling-factor",
        .range = positive,
        .summary = "how much longer the context becomes; with ntk, alpha",
        .used_with = scalings("linear dynamic ntk part-ntk yarn longrope su llama3 proportional")},
    ParameterSpec{.name = "max-position-embeddings",
                  .type = ParameterType::integer,
                  .range = any_count,
                  .summary = "the longest sequence of the model",
                  .used_with = scalings("dynamic yarn longrope su")},
    ParameterSpec{.name = "original-max-position-embeddings",
                  .type = ParameterType::integer,
                  .range = any_count,
                  .summary = "the longest sequence of the model before scaling",
                  .used_with = scalings("part-ntk yarn longrope su llama3")},
    ParameterSpec{.name = "seq-len",
                  .type = ParameterType::integer,
                  .range = any_count,
                  .summary = "the sequence length for dynamic and longrope [last position + 1]",
                  .used_with = scalings("dynamic longrope su")},
    ParameterSpec{.name = "attention-factor",
                  .range = positive,
                  .summary = "factor for cos and sin [computed]",
                  .role = Role::scale,
                  .used_with = scalings("yarn longrope su")},
    ParameterSpec{.name = "beta-fast",
                  .range = positive,
                  .summary = "yarn: keep frequencies with more rotations than X [32]",
                  .used_with = scalings("yarn")},
    ParameterSpec{.name = "beta-slow",
                  .range = positive,
                  .summary = "yarn: scale frequencies with fewer rotations than X [1]",
                  .used_with = scalings("yarn")},
    ParameterSpec{.name = "mscale",
                  .summary = "yarn: numerator of the attention factor",
                  .used_with = scalings("yarn")},
    ParameterSpec{.name = "mscale-all-dim",
                  .summary = "yarn: denominator of the attention factor",
                  .used_with = scalings("yarn")},
    ParameterSpec{.name = "no-truncate",
                  .type = ParameterType::flag,
                  .summary = "yarn: do not round bounds to whole channels",
                  .used_with = scalings("yarn")},
    ParameterSpec{.name = "low-freq-factor",
                  .range = positive,
                  .summary = "llama3: low_freq_factor [1]",
                  .used_with = scalings("llama3")},
    ParameterSpec{.name = "high-freq-factor",
                  .range = positive,
                  .summary = "llama3: high_freq_factor [4]",
                  .used_with = scalings("llama3")},
    ParameterSpec{.name = "short-factor",
                  .type = ParameterType::reals,
                  .range = positive,
                  .summary = "longrope: divisors of the frequencies, for short sequences",
                  .used_with = scalings("longrope su")},
    ParameterSpec{
        .name = "long-factor",
        .type = ParameterType::reals,
        .range = positive,
        .summary =
            "longrope: divisors of the frequencies, for sequences beyond the original length",
        .used_with = scalings("longrope su")},
};

/// The unscaled RoPE from which the scaling types start.
struct Rope {
    std::int64_t dim;        ///< rotary dimension: twice the number of frequencies
    double base;             ///< theta
    double rotated_share;    ///< for proportional: share of frequencies that are not 0
    std::int64_t positions;  ///< length of the sequence: last position + 1
};

/// Fills in the defaults of the scaling type, including the attention factor, and clears parameters
/// that the type does not use. Throws: UsageError for a parameter that has no effect or is missing.
Parameters resolve_scaling(Parameters parameters, const Rope& rope);

/// Returns the Rope::dim / 2 inverse frequencies that the resolved parameters give, in radians per
/// position, with the bits of numerics::Precision. Source: the formulas in docs/encodings/rope.md.
std::vector<numerics::Real> scaled_frequencies(const Parameters& parameters, const Rope& rope);

// The building blocks of the scaling types, computed from resolved parameters.

/// Return the base that replaces --base in ntk and dynamic scaling.
numerics::Real ntk_base(const Parameters& parameters, const Rope& rope);
numerics::Real dynamic_base(const Parameters& parameters, const Rope& rope);

/// A ramp over the pairs: 0 up to pair `low`, 1 from pair `high` on, linear in between.
struct Ramp {
    numerics::Real low;
    numerics::Real high;

    numerics::Real at(std::size_t pair) const;
};

/// Returns the ramp from the frequencies that yarn keeps (0) to the frequencies that it divides
/// (1). If `truncate`, its bounds are rounded to whole pairs.
Ramp yarn_ramp(const Parameters& parameters, const Rope& rope, bool truncate);

/// True if --seq-len is beyond the original length, so that longrope uses its long divisors.
bool has_long_factors(const Parameters& parameters);

/// Returns the list of divisors that longrope uses for --seq-len.
const std::vector<double>& longrope_factors(const Parameters& parameters);

/// Returns the number of pairs that proportional rotates; these pairs come first.
std::int64_t rotated_pairs(const Rope& rope);

}  // namespace pegen::encodings

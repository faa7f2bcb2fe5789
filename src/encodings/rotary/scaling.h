#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "numerics/real.h"

// The scaling types of RoPE, by the names and parameters of Hugging Face's configurations.
namespace pegen::encodings {

inline constexpr ParameterSpec scaling_parameter{
    .name = "scaling",
    .aliases = "rope-type",
    .type = ParameterType::word,
    .default_value = "none",
    .choices = "none default linear dynamic ntk part-ntk yarn longrope su llama3 proportional",
    .summary = "how frequencies are scaled for longer contexts"};

/// The parameters of the scaling types, --scaling itself among them.
inline constexpr std::array scaling_parameters{
    scaling_parameter,
    ParameterSpec{.name = "factor",
                  .aliases = "scaling-factor",
                  .range = positive,
                  .summary = "how much longer the context becomes; with ntk, alpha"},
    ParameterSpec{.name = "max-position-embeddings",
                  .type = ParameterType::integer,
                  .range = any_count,
                  .summary = "the longest sequence of the model"},
    ParameterSpec{.name = "original-max-position-embeddings",
                  .type = ParameterType::integer,
                  .range = any_count,
                  .summary = "the longest sequence of the model before scaling"},
    ParameterSpec{.name = "seq-len",
                  .type = ParameterType::integer,
                  .range = any_count,
                  .summary = "the sequence length for dynamic and longrope [last position + 1]"},
    ParameterSpec{.name = "attention-factor",
                  .range = positive,
                  .summary = "factor for cos and sin [computed]"},
    ParameterSpec{.name = "beta-fast",
                  .range = positive,
                  .summary = "yarn: keep frequencies with more rotations than X [32]"},
    ParameterSpec{.name = "beta-slow",
                  .range = positive,
                  .summary = "yarn: scale frequencies with fewer rotations than X [1]"},
    ParameterSpec{.name = "mscale", .summary = "yarn: numerator of the attention factor"},
    ParameterSpec{.name = "mscale-all-dim", .summary = "yarn: denominator of the attention factor"},
    ParameterSpec{.name = "no-truncate",
                  .type = ParameterType::flag,
                  .summary = "yarn: do not round bounds to whole channels"},
    ParameterSpec{
        .name = "low-freq-factor", .range = positive, .summary = "llama3: low_freq_factor [1]"},
    ParameterSpec{
        .name = "high-freq-factor", .range = positive, .summary = "llama3: high_freq_factor [4]"},
    ParameterSpec{.name = "short-factor",
                  .type = ParameterType::reals,
                  .range = positive,
                  .summary = "longrope: divisors of the frequencies, for short sequences"},
    ParameterSpec{
        .name = "long-factor",
        .type = ParameterType::reals,
        .range = positive,
        .summary =
            "longrope: divisors of the frequencies, for sequences beyond the original length"},
};

/// What the scaling types start from.
struct Rope {
    std::int64_t dim;        ///< rotary dimension: twice the number of frequencies
    double base;             ///< theta
    double rotated_share;    ///< of proportional: the part of the frequencies that is not 0
    std::int64_t positions;  ///< the last position and one: the length of the sequence
};

/// Fills in the defaults of the scaling type, the attention factor among them, and clears what the
/// type does not use. Throws: UsageError for a parameter that has no effect or is missing.
Parameters resolve_scaling(Parameters parameters, const Rope& rope);

/// Returns the inverse frequencies of resolved parameters, in radians per position, with the
/// bits of numerics::Precision: Rope::dim / 2 of them. Source: docs/encodings/rope.md lists the
/// formulas.
std::vector<numerics::Real> scaled_frequencies(const Parameters& parameters, const Rope& rope);

// What the types are made of, of resolved parameters.

/// Return the base that takes the place of --base.
numerics::Real ntk_base(const Parameters& parameters, const Rope& rope);
numerics::Real dynamic_base(const Parameters& parameters, const Rope& rope);

/// A ramp over the channel pairs: 0 up to `low`, 1 from `high` on.
struct Ramp {
    numerics::Real low;
    numerics::Real high;

    numerics::Real at(std::size_t pair) const;
};

/// Returns the ramp from the frequencies that yarn keeps to those it divides, its bounds rounded to
/// whole pairs or not.
Ramp yarn_ramp(const Parameters& parameters, const Rope& rope, bool truncate);

/// True if --seq-len is beyond the original length, so that longrope has its long divisors.
bool has_long_factors(const Parameters& parameters);

/// Returns longrope's divisors for --seq-len.
const std::vector<double>& longrope_factors(const Parameters& parameters);

/// Returns how many of the pairs proportional turns, the first ones.
std::int64_t rotated_pairs(const Rope& rope);

}  // namespace pegen::encodings

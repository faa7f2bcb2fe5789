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
    .summary = "what changes the frequencies for longer contexts"};

/// The parameters of the scaling types, --scaling itself among them.
inline constexpr std::array scaling_parameters{
    scaling_parameter,
    ParameterSpec{.name = "factor",
                  .aliases = "scaling-factor",
                  .range = positive,
                  .summary = "how much longer the context is to be; of ntk, its alpha"},
    ParameterSpec{.name = "max-position-embeddings",
                  .type = ParameterType::integer,
                  .range = any_count,
                  .summary = "the model's longest sequence"},
    ParameterSpec{.name = "original-max-position-embeddings",
                  .type = ParameterType::integer,
                  .range = any_count,
                  .summary = "the longest sequence before scaling"},
    ParameterSpec{.name = "seq-len",
                  .type = ParameterType::integer,
                  .range = any_count,
                  .summary = "the length dynamic and longrope decide by; the last position and one "
                             "unless given"},
    ParameterSpec{.name = "attention-factor",
                  .range = positive,
                  .summary = "multiplies cos and sin; worked out unless given"},
    ParameterSpec{.name = "beta-fast",
                  .range = positive,
                  .summary = "yarn keeps frequencies that turn more often; 32 unless given"},
    ParameterSpec{.name = "beta-slow",
                  .range = positive,
                  .summary = "yarn divides frequencies that turn less often; 1 unless given"},
    ParameterSpec{.name = "mscale", .summary = "of yarn's attention factor"},
    ParameterSpec{.name = "mscale-all-dim", .summary = "of yarn's attention factor: its divisor"},
    ParameterSpec{.name = "no-truncate",
                  .type = ParameterType::flag,
                  .summary = "yarn's bounds are not rounded to whole channels"},
    ParameterSpec{.name = "low-freq-factor", .range = positive, .summary = "of llama3; 1"},
    ParameterSpec{.name = "high-freq-factor", .range = positive, .summary = "of llama3; 4"},
    ParameterSpec{.name = "short-factor",
                  .type = ParameterType::reals,
                  .range = positive,
                  .summary = "longrope's divisors of the frequencies, for short sequences"},
    ParameterSpec{.name = "long-factor",
                  .type = ParameterType::reals,
                  .range = positive,
                  .summary = "longrope's divisors of the frequencies, beyond the original length"},
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

#pragma once

#include "core/parameters.h"
#include "encodings/parameters/channel_parameters.h"

// The parameters of the channels of a head, the same in every rotary encoding.
namespace pegen::encodings {

inline constexpr ParameterSpec rotary_d_parameter{.name = "d",
                                                  .aliases = "d head-dim dim d-head rotary-dim",
                                                  .type = ParameterType::integer,
                                                  .default_value = "64",
                                                  .range = any_channel_count,
                                                  .summary = "rotated channels of a head"};

inline constexpr ParameterSpec rotary_layout_parameter{
    .name = "layout",
    .type = ParameterType::word,
    .default_value = "half",
    .choices = "half interleaved single",
    .summary = "layout of cos and sin: all frequencies twice, each one twice, or each one once"};

/// Checks that --d is even. Throws: UsageError.
void check_pairs(const Parameters& parameters);

}  // namespace pegen::encodings

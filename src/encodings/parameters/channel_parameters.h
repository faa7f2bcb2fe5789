#pragma once

#include <cstdint>

#include "core/parameters.h"

// The parameters that say which channels a table has, alike in every encoding.
namespace pegen::encodings {

inline constexpr std::int64_t most_channels = 1 << 20;

inline constexpr Range any_channel_count{.lowest = 1, .highest = most_channels};

inline constexpr ParameterSpec d_parameter{
    .name = "d",
    .aliases = "d-model dim embed-dim embedding-dim hidden-size",
    .type = ParameterType::integer,
    .default_value = "512",
    .range = any_channel_count,
    .summary = "channels of a position",
    .is_extent = true};

inline constexpr ParameterSpec first_parameter{.name = "first",
                                               .type = ParameterType::word,
                                               .default_value = "sin",
                                               .choices = "sin cos",
                                               .summary = "the function that comes first"};

inline constexpr ParameterSpec freq_scale_parameter{.name = "freq-scale",
                                                    .aliases = "omega-0",
                                                    .default_value = "1",
                                                    .range = positive,
                                                    .choices = "pi 2*pi",
                                                    .summary = "multiplies every frequency"};

/// Puts the number in the place of --freq-scale pi or 2*pi.
Parameters resolve_freq_scale(Parameters parameters);

inline constexpr ParameterSpec prefix_rows_parameter{
    .name = "prefix-rows",
    .type = ParameterType::integer,
    .default_value = "0",
    .range = any_index,
    .summary = "rows of zeros in front, as for a class token"};

}  // namespace pegen::encodings

#pragma once

#include <cstdint>
#include <string_view>

#include "core/axis.h"
#include "core/parameters.h"

// The parameters of the channels of a table, the same in every encoding.
namespace pegen::encodings {

inline constexpr std::int64_t most_channels = 1 << 20;

inline constexpr Range any_channel_count{.lowest = 1, .highest = most_channels};

inline constexpr ParameterSpec d_parameter{
    .name = "d",
    .aliases = "d d-model dim embed-dim embedding-dim hidden-size",
    .type = ParameterType::integer,
    .default_value = "512",
    .range = any_channel_count,
    .summary = "number of channels",
    .role = Role::extent};

inline constexpr std::string_view base_aliases =
    "temperature theta rope-theta max-wavelength max-period max-timescale";

inline constexpr ParameterSpec base_parameter{
    .name = "base",
    .aliases = base_aliases,
    .default_value = "10000",
    .range = positive,
    .summary = "ratio of the longest to the shortest wavelength (about)"};

inline constexpr ParameterSpec first_parameter{.name = "first",
                                               .type = ParameterType::word,
                                               .default_value = "sin",
                                               .choices = "sin cos",
                                               .summary = "which function comes first"};

inline constexpr ParameterSpec freq_scale_parameter{
    .name = "freq-scale",
    .aliases = "omega-0",
    .default_value = "1",
    .range = positive,
    .summary = "factor for all frequencies, such as 2*pi"};

inline constexpr ParameterSpec keep_channels_parameter{
    .name = "keep-channels",
    .type = ParameterType::text,
    .summary =
        "the channels to keep, in this order, as Python's slices: 0:16 or ::-1 or 3,0:4; 0:16x2 "
        "has each twice",
    .is_rare = true};

inline constexpr ParameterSpec view_parameter{
    .name = "view",
    .type = ParameterType::word,
    .default_value = "channels-last",
    .choices = "channels-last channels-first",
    .summary = "shape of the table: a row for each position, or for each channel",
    .is_rare = true};

inline constexpr ParameterSpec prefix_rows_parameter{
    .name = "prefix-rows",
    .type = ParameterType::integer,
    .default_value = "0",
    .range = any_index,
    .summary = "rows of zeros in front, for class tokens"};

/// Returns the channel axis of a table. Channels and positions have the labels of the figure that
/// the notes show, letter for letter.
Axis channel_axis(std::string_view label = "Embedding Dimension(d_model)");

/// Checks that --layout halves is not combined with --pairing per-channel, which has no pairs.
/// Throws: UsageError.
void check_pairs(bool has_halves, bool is_per_channel);

/// Returns the axis of the frequencies, by their index.
Axis frequency_axis();

}  // namespace pegen::encodings

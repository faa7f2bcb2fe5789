#pragma once

#include <cstdint>
#include <string_view>

#include "core/axis.h"
#include "core/parameters.h"
#include "core/positions.h"

namespace pegen::encodings {

/// Returns `spec` with `value` as its default.
constexpr ParameterSpec with_default(ParameterSpec spec, std::string_view value) {
    spec.default_value = value;
    return spec;
}

// The parameters of the channels of a table, the same in every encoding.

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

// The parameters for the positions of a one-dimensional table, the same in every encoding.

inline constexpr ParameterSpec len_parameter{
    .name = "len",
    .aliases =
        "n max-len length seq-len max-length max-seq-len max-seq-length n-positions num-positions "
        "num-embeddings",
    .type = ParameterType::integer,
    .default_value = "512",
    .range = any_count,
    .summary = "number of positions",
    .role = Role::extent};

inline constexpr ParameterSpec start_parameter{.name = "start",
                                               .aliases = "start-index offset",
                                               .default_value = "0",
                                               .range = any_position,
                                               .summary = "the first position",
                                               .role = Role::start};

inline constexpr ParameterSpec step_parameter{.name = "step",
                                              .default_value = "1",
                                              .range = any_position,
                                              .summary = "distance from one position to the next",
                                              .role = Role::step};

inline constexpr ParameterSpec positions_parameter{
    .name = "positions",
    .type = ParameterType::reals,
    .range = any_position,
    .summary = "a list of positions, instead of --len, --start and --step"};

inline constexpr ParameterSpec reverse_parameter{
    .name = "reverse", .type = ParameterType::flag, .summary = "put the last position first"};

/// Checks that all positions are exact doubles. Throws: UsageError, naming the parameter
/// `count_name`, if the last of `count` positions is beyond 2^53.
void check_last_position(std::string_view count_name, double start, double step,
                         std::int64_t count);

/// Fills in len, start and step from --positions or --positions-file, if one of them is given.
/// Precondition: the parameters include both. Throws: UsageError if len, start or step contradicts
/// the list, or if a position is beyond 2^53; FileError and FormatError for the file.
Parameters resolve_positions(Parameters parameters);

/// Returns the positions that the resolved parameters give. Reads --positions-file again.
Positions positions_of(const Parameters& parameters);

/// Returns the axis of the positions, after `rows_before` rows without a position.
Axis position_axis(Positions positions, std::int64_t rows_before = 0);

// The parameters of encodings of points, which are read from a file or form a grid.

inline constexpr ParameterSpec points_parameter{
    .name = "points",
    .type = ParameterType::path,
    .summary = "NPY file: floats (points, axes), the coordinates"};

inline constexpr ParameterSpec coords_parameter{
    .name = "coords",
    .type = ParameterType::text,
    .default_value = "linspace:-1:1",
    .summary = "linspace:LO:HI (both ends included) or center:SCALE (middles of cells)"};

/// Clears the parameters of the grid, for points from --points. Throws: UsageError if one of them
/// is given.
Parameters without_grid(Parameters parameters);

/// Returns the axis of the points. `extents` are the extents of their grid, empty without a grid.
Axis point_axis(std::vector<std::int64_t> extents);

}  // namespace pegen::encodings

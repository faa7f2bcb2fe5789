#pragma once

#include <cstdint>
#include <string_view>

#include "core/axis.h"
#include "core/parameters.h"
#include "core/positions.h"

// The parameters for the positions of a one-dimensional table, the same in every encoding.
namespace pegen::encodings {

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

}  // namespace pegen::encodings

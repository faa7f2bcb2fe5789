#pragma once

#include <cstdint>
#include <string_view>

#include "core/parameters.h"
#include "encodings/parameters/shared.h"

// The parameters for the axes of a grid and the nesting of its channels, the same in every encoding
// with --height, --width and --depth.
namespace pegen::encodings {

inline constexpr ParameterSpec height_parameter{.name = "height",
                                                .type = ParameterType::integer,
                                                .default_value = "14",
                                                .range = any_count,
                                                .summary = "extent of the y axis: rows",
                                                .role = Role::extent};

inline constexpr ParameterSpec width_parameter{.name = "width",
                                               .type = ParameterType::integer,
                                               .default_value = "14",
                                               .range = any_count,
                                               .summary = "extent of the x axis: columns",
                                               .role = Role::extent};

inline constexpr ParameterSpec depth_parameter{
    .name = "depth",
    .type = ParameterType::integer,
    .range = any_count,
    .summary = "extent of a third axis, t: frames or slices",
    .role = Role::extent};

inline constexpr ParameterSpec axes_parameter{
    .name = "axes",
    .type = ParameterType::word,
    .choices = "yx xy tyx txy ytx yxt xty xyt",
    .summary = "the order of the axes [yx, or tyx with --depth]"};

/// The parameter --axes for points, which may have a single axis.
inline constexpr ParameterSpec point_axes_parameter{
    .name = "axes",
    .type = ParameterType::word,
    .choices = "x yx xy tyx txy ytx yxt xty xyt",
    .summary = "the order of the axes [yx, or tyx with --depth]; x is --width alone"};

inline constexpr ParameterSpec base_of_axes_parameter{
    .name = "base",
    .aliases = base_aliases,
    .type = ParameterType::reals,
    .default_value = "10000",
    .range = positive,
    .summary = "ratio of the longest to the shortest wavelength (about), or one per axis"};

inline constexpr ParameterSpec start_of_axes_parameter{
    .name = "start",
    .aliases = "start-index offset",
    .type = ParameterType::reals,
    .default_value = "0",
    .range = any_position,
    .summary = "the first position, or one per axis",
    .role = Role::start};

inline constexpr ParameterSpec step_of_axes_parameter{.name = "step",
                                                      .type = ParameterType::reals,
                                                      .default_value = "1",
                                                      .range = any_position,
                                                      .summary =
                                                          "distance between positions, or one per "
                                                          "axis",
                                                      .role = Role::step};

inline constexpr ParameterSpec order_parameter{
    .name = "order",
    .type = ParameterType::word,
    .default_value = "akf",
    .choices = "akf afk fak kaf kfa fka",
    .summary = "how axis, frequency (k) and function (f) are nested, outermost first"};

/// Returns the axes of the grid, slowest first, which is the order of lists of parameters and of
/// indices: "tyx", "yx" or "x". Of points from a file, which have no grid, the axes in --axes.
std::string_view axes_of(const Parameters& parameters);

/// Returns "depth", "height" or "width" for t, y or x.
std::string_view extent_name(char axis);

/// Returns "height and width", or "depth, height and width".
std::string_view extent_names(const Parameters& parameters);

std::int64_t extent(const Parameters& parameters, char axis);

/// Returns the value of an axis in the list `name`, which has one number for all axes or one for
/// each.
double of_axis(const Parameters& parameters, std::string_view name, char axis);

/// Checks that the list `name` has one number, or one for each axis. Throws: UsageError.
void check_of_axes(const Parameters& parameters, std::string_view name);

/// Returns the number of points, the product of the extents. Throws: UsageError if it is beyond
/// 2^63.
std::int64_t point_count(const Parameters& parameters);

/// Fills in --axes. Throws: UsageError if --axes does not name exactly the axes of the grid, or if
/// there are more than 2^53 points.
Parameters resolve_axes(Parameters parameters);

/// Returns the number of channels between neighbouring values of `digit`: an axis (a), a frequency
/// (k) or a function (f). `order` names the digits, slowest first.
std::int64_t stride(std::string_view order, char digit, std::int64_t axes,
                    std::int64_t frequencies);

}  // namespace pegen::encodings

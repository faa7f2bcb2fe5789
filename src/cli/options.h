#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "core/parameters.h"

// The options that every encoding and preset has in addition to its parameters, and those that
// several commands share.
namespace pegen::cli {

inline constexpr ParameterSpec help_option{
    .name = "help", .aliases = "h", .type = ParameterType::flag, .summary = "print this help"};

inline constexpr ParameterSpec threads_option{
    .name = "threads",
    .type = ParameterType::integer,
    .range = any_count,
    .summary = "at most this many; the result never depends on it"};

inline constexpr ParameterSpec dry_run_option{.name = "dry-run",
                                              .type = ParameterType::flag,
                                              .summary = "print what would be made, make nothing"};

inline constexpr ParameterSpec quiet_option{
    .name = "quiet", .aliases = "q", .type = ParameterType::flag, .summary = "print errors only"};

inline constexpr ParameterSpec json_option{
    .name = "json", .type = ParameterType::flag, .summary = "print JSON"};

/// Returns an option that several commands share, with the summary for one of them.
constexpr ParameterSpec summarized(ParameterSpec option, std::string_view summary) {
    option.summary = summary;
    return option;
}

/// The options of a run that makes tables.
inline constexpr std::array run_options{
    threads_option,
    ParameterSpec{.name = "no-clobber",
                  .type = ParameterType::flag,
                  .summary = "refuse to replace a file that exists"},
    dry_run_option,
    summarized(quiet_option, "print errors only: no progress, no table unless one is asked for"),
    help_option,
    ParameterSpec{.name = "version",
                  .aliases = "V",
                  .type = ParameterType::flag,
                  .summary = "print the version"},
};

/// The names and aliases of the dtypes of tables of real numbers, and of all tables.
inline constexpr std::string_view float_dtype_words =
    "float32 float64 float16 bfloat16 f32 f64 f16 bf16";
inline constexpr std::string_view dtype_words =
    "float32 float64 float16 bfloat16 int32 int64 f32 f64 f16 bf16 i32 i64";

/// True if `spec` points into `specs`: equal specs elsewhere do not count.
bool is_among(std::span<const ParameterSpec> specs, const ParameterSpec* spec);

/// True if `name` is the parameter's name or one of its aliases.
bool is_called(const ParameterSpec& spec, std::string_view name);

/// --table and --dtype.
std::span<const ParameterSpec> table_options();

/// --output, an option for each format, such as --npy, which takes a path, or - for standard
/// output, and --emit, which takes a language.
std::span<const ParameterSpec> output_options();

/// Options under a heading, as the help shows them.
struct OptionGroup {
    std::string_view title;
    std::vector<const ParameterSpec*> specs;
};

/// The groups that follow the parameters in the help of every encoding.
std::vector<OptionGroup> common_option_groups();

}  // namespace pegen::cli

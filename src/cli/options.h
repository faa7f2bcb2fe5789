#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "core/parameters.h"

// The options that every encoding and preset has beside its own parameters.
namespace pegen::cli {

inline constexpr ParameterSpec help_option{
    .name = "help", .aliases = "h", .type = ParameterType::flag, .summary = "print this help"};

inline constexpr std::array run_options{
    ParameterSpec{.name = "threads",
                  .type = ParameterType::integer,
                  .range = any_count,
                  .summary = "at most this many; the table never depends on it"},
    ParameterSpec{.name = "no-clobber",
                  .type = ParameterType::flag,
                  .summary = "refuse to replace a file that exists"},
    ParameterSpec{.name = "dry-run",
                  .type = ParameterType::flag,
                  .summary = "print what would be made, make nothing"},
    ParameterSpec{.name = "quiet",
                  .aliases = "q",
                  .type = ParameterType::flag,
                  .summary = "print errors only: no progress, no table unless one is asked for"},
    help_option,
    ParameterSpec{.name = "version",
                  .aliases = "V",
                  .type = ParameterType::flag,
                  .summary = "print the version"},
};

/// Whether it is one of these very specs.
bool is_among(std::span<const ParameterSpec> specs, const ParameterSpec* spec);

/// Whether an option of this name sets it: by its own name, or by an alias.
bool is_called(const ParameterSpec& spec, std::string_view name);

/// --table and --dtype.
std::span<const ParameterSpec> table_options();

/// --output and an option for each format, such as --npy: a path, or - for standard output.
std::span<const ParameterSpec> output_options();

/// Options under a heading, as the help shows them.
struct OptionGroup {
    std::string_view title;
    std::vector<const ParameterSpec*> specs;
};

/// The groups of every encoding behind its own parameters.
std::vector<OptionGroup> common_option_groups();

}  // namespace pegen::cli

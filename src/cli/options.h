#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "files/output_file.h"

// The options that every encoding and preset has in addition to its parameters, and those that
// several commands share.
namespace pegen::cli {

inline constexpr ParameterSpec threads_option{
    .name = "threads",
    .type = ParameterType::integer,
    .range = any_count,
    .summary = "use at most N threads; the result is the same"};

inline constexpr ParameterSpec dry_run_option{
    .name = "dry-run",
    .type = ParameterType::flag,
    .summary = "say what would be written, and write nothing"};

inline constexpr ParameterSpec quiet_option{
    .name = "quiet", .aliases = "q", .type = ParameterType::flag, .summary = "print only errors"};

/// Options that decide which files are flushed to the disk before the program ends. Without them,
/// only files that replace existing files are flushed.
inline constexpr ParameterSpec sync_option{
    .name = "sync",
    .type = ParameterType::flag,
    .summary = "wait until every file is on the disk [only those that replace a file]"};
inline constexpr ParameterSpec no_sync_option{
    .name = "no-sync", .type = ParameterType::flag, .summary = "wait for no file"};

inline constexpr ParameterSpec json_option{
    .name = "json", .type = ParameterType::flag, .summary = "print JSON"};

/// Returns an option that several commands share, with a summary for one of the commands.
constexpr ParameterSpec summarized(ParameterSpec option, std::string_view summary) {
    option.summary = summary;
    return option;
}

/// The options of a run that makes tables.
inline constexpr std::array run_options{
    threads_option,
    ParameterSpec{.name = "no-clobber",
                  .type = ParameterType::flag,
                  .summary = "refuse to replace an existing file"},
    sync_option,
    no_sync_option,
    dry_run_option,
    quiet_option,
    ParameterSpec{.name = "version",
                  .aliases = "V",
                  .type = ParameterType::flag,
                  .summary = "print the version"},
};

/// Returns which files are flushed to the disk, by sync_option and no_sync_option.
/// Throws: UsageError if both are given.
Sync sync_of(const Parameters& parameters);

/// The names and aliases of the dtypes: first for tables of real numbers, then for all tables.
inline constexpr std::string_view float_dtype_words =
    "float32 float64 float16 bfloat16 f32 f64 f16 bf16 fp32 fp64 fp16";
inline constexpr std::string_view dtype_words =
    "float32 float64 float16 bfloat16 int32 int64 f32 f64 f16 bf16 i32 i64 fp32 fp64 fp16";

/// True if `spec` points to an element of `specs`. An equal spec at another address does not count.
bool is_among(std::span<const ParameterSpec> specs, const ParameterSpec* spec);

/// True if `name` is the parameter's name or one of its aliases of more than one letter.
bool is_called(const ParameterSpec& spec, std::string_view name);

/// Returns the option for which is_called() is true; nullptr if there is none.
const ParameterSpec* find_option(std::span<const ParameterSpec> specs, std::string_view name);
const ParameterSpec* find_option(const std::vector<const ParameterSpec*>& specs,
                                 std::string_view name);

/// Returns the letter of the short option, "n"; "" if the option has none.
std::string_view letter_of(const ParameterSpec& spec);

/// Returns the option's name and each of its aliases as they are typed: {"--len", "-n",
/// "--max-len"}. An alias of one letter is a short option.
std::vector<std::string> option_names(const ParameterSpec& spec);

/// Returns the options --table and --dtype.
std::span<const ParameterSpec> table_options();

/// Returns the output options: --output, an option for each format, such as --npy, and --emit. The
/// value of a format's option is a path, or - for standard output. The value of --emit is a
/// language.
std::span<const ParameterSpec> output_options();

/// Options under a heading, as the help shows them.
struct OptionGroup {
    std::string_view title;
    std::vector<const ParameterSpec*> specs;
    bool is_in_brief_help = true;  ///< if false, brief help only names the options
};

/// Returns the group of the options `specs` under a heading.
OptionGroup option_group(std::string_view title, std::span<const ParameterSpec> specs,
                         bool is_in_brief_help = true);

/// Returns the options of all groups.
std::vector<const ParameterSpec*> options_in(const std::vector<OptionGroup>& groups);

/// Returns the groups that follow the parameters in the help of every encoding.
std::vector<OptionGroup> common_option_groups();

}  // namespace pegen::cli

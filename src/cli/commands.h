#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cli/exit_status.h"
#include "cli/usage.h"

namespace pegen::cli {

/// How much help to print: brief help fits a screen or two, full help has every option.
enum class HelpLength { brief, full };

/// A subcommand, such as list or diff.
struct Command {
    std::string_view name;
    std::string_view arguments;  ///< as the usage line shows them
    std::string_view summary;
    ExitStatus (*run)(std::span<const std::string_view> arguments);
    /// Returns the usage of the command or, if `names` is not empty, of its part `names[0]`, such
    /// as "rope" of apply.
    Usage (*usage)(std::span<const std::string_view> names, HelpLength length);
};

/// Returns the commands in the order of the help.
std::span<const Command> all_commands();

/// Returns the names and summaries of all commands.
std::vector<NamedWord> command_words();

/// Returns the command of this name, or nullptr.
const Command* find_command(std::string_view name);

ExitStatus run_list(std::span<const std::string_view> arguments);
ExitStatus run_describe(std::span<const std::string_view> arguments);
ExitStatus run_explain(std::span<const std::string_view> arguments);
ExitStatus run_compare(std::span<const std::string_view> arguments);
ExitStatus run_batch(std::span<const std::string_view> arguments);
ExitStatus run_info(std::span<const std::string_view> arguments);
ExitStatus run_apply(std::span<const std::string_view> arguments);
ExitStatus run_attention(std::span<const std::string_view> arguments);
ExitStatus run_concat(std::span<const std::string_view> arguments);
ExitStatus run_plot(std::span<const std::string_view> arguments);
ExitStatus run_identify(std::span<const std::string_view> arguments);
ExitStatus run_diff(std::span<const std::string_view> arguments);
ExitStatus run_check(std::span<const std::string_view> arguments);
ExitStatus run_explore(std::span<const std::string_view> arguments);
ExitStatus run_completion(std::span<const std::string_view> arguments);
ExitStatus run_manual(std::span<const std::string_view> arguments);
ExitStatus run_help(std::span<const std::string_view> arguments);

Usage list_usage(std::span<const std::string_view> names, HelpLength length);
Usage describe_usage(std::span<const std::string_view> names, HelpLength length);
Usage explain_usage(std::span<const std::string_view> names, HelpLength length);
Usage compare_usage(std::span<const std::string_view> names, HelpLength length);
Usage batch_usage(std::span<const std::string_view> names, HelpLength length);
Usage info_usage(std::span<const std::string_view> names, HelpLength length);
Usage apply_usage(std::span<const std::string_view> names, HelpLength length);
Usage attention_usage(std::span<const std::string_view> names, HelpLength length);
Usage concat_usage(std::span<const std::string_view> names, HelpLength length);
Usage plot_usage(std::span<const std::string_view> names, HelpLength length);
Usage identify_usage(std::span<const std::string_view> names, HelpLength length);
Usage diff_usage(std::span<const std::string_view> names, HelpLength length);
Usage check_usage(std::span<const std::string_view> names, HelpLength length);
Usage explore_usage(std::span<const std::string_view> names, HelpLength length);
Usage completion_usage(std::span<const std::string_view> names, HelpLength length);
Usage manual_usage(std::span<const std::string_view> names, HelpLength length);
Usage help_usage(std::span<const std::string_view> names, HelpLength length);

}  // namespace pegen::cli

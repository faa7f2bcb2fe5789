#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/exit_status.h"

namespace pegen::cli {

/// Brief help fits a screen or two, full help has every option.
enum class HelpLength { brief, full };

/// A subcommand, such as list or diff.
struct Command {
    std::string_view name;
    std::string_view arguments;  ///< as its usage line shows them
    std::string_view summary;
    ExitStatus (*run)(std::span<const std::string_view> arguments);
    /// Returns its help, or that of the part called `names[0]`: "rope" of apply.
    std::string (*help)(std::span<const std::string_view> names, HelpLength length);
};

/// The commands, in the order of the help.
std::span<const Command> all_commands();

/// Returns the command of this name, or nullptr.
const Command* find_command(std::string_view name);

ExitStatus run_list(std::span<const std::string_view> arguments);
ExitStatus run_describe(std::span<const std::string_view> arguments);
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
ExitStatus run_help(std::span<const std::string_view> arguments);

std::string list_help(std::span<const std::string_view> names, HelpLength length);
std::string describe_help(std::span<const std::string_view> names, HelpLength length);
std::string compare_help(std::span<const std::string_view> names, HelpLength length);
std::string batch_help(std::span<const std::string_view> names, HelpLength length);
std::string info_help(std::span<const std::string_view> names, HelpLength length);
std::string apply_help(std::span<const std::string_view> names, HelpLength length);
std::string attention_help(std::span<const std::string_view> names, HelpLength length);
std::string concat_command_help(std::span<const std::string_view> names, HelpLength length);
std::string plot_help(std::span<const std::string_view> names, HelpLength length);
std::string identify_help(std::span<const std::string_view> names, HelpLength length);
std::string diff_help(std::span<const std::string_view> names, HelpLength length);
std::string check_help(std::span<const std::string_view> names, HelpLength length);
std::string help_help(std::span<const std::string_view> names, HelpLength length);

}  // namespace pegen::cli

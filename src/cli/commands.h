#pragma once

#include <span>
#include <string_view>

#include "cli/exit_status.h"

namespace pegen::cli {

/// A subcommand, such as list or diff.
struct Command {
    std::string_view name;
    std::string_view arguments;  ///< as its usage line shows them
    std::string_view summary;
    ExitStatus (*run)(std::span<const std::string_view> arguments);
};

/// The commands, in the order of the help.
std::span<const Command> all_commands();

ExitStatus run_list(std::span<const std::string_view> arguments);
ExitStatus run_describe(std::span<const std::string_view> arguments);
ExitStatus run_compare(std::span<const std::string_view> arguments);
ExitStatus run_batch(std::span<const std::string_view> arguments);
ExitStatus run_info(std::span<const std::string_view> arguments);
ExitStatus run_apply(std::span<const std::string_view> arguments);
ExitStatus run_attention(std::span<const std::string_view> arguments);
ExitStatus run_plot(std::span<const std::string_view> arguments);
ExitStatus run_diff(std::span<const std::string_view> arguments);
ExitStatus run_check(std::span<const std::string_view> arguments);
ExitStatus run_help(std::span<const std::string_view> arguments);

}  // namespace pegen::cli

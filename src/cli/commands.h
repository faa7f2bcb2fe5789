#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "cli/process.h"

namespace pegen::cli {

/// A word of a command line, and its meaning.
struct NamedWord {
    std::string_view name;
    std::string_view summary;
};

/// The arguments that a command takes besides options.
struct Operands {
    int most = 1;            ///< maximum number of operands
    bool are_names = false;  ///< names of encodings and presets are operands
    bool are_files = false;
    bool bring_parameters = false;  ///< a name may be followed by its parameters
    std::vector<NamedWord> words{};
    std::string_view title = "";  ///< heading of the words in help; "": help does not list them
};

/// Explanations of other words of a command, such as the values of an option.
struct Glossary {
    struct Entry {
        std::string name;
        std::string meaning;
    };

    std::string title;
    std::vector<Entry> entries;
};

/// The usage of a command, an encoding or a preset, called as `pe-gen NAME ARGUMENTS`.
struct Usage {
    std::string name;
    std::string summary;
    std::string arguments;
    std::vector<std::string> examples;  ///< command lines without "pe-gen "
    std::string parameters = "";        ///< help sections on the parameters of a subject
    std::vector<OptionGroup> options;
    Operands operands{.most = 0};
    std::vector<Glossary> glossaries{};
    std::string remark = "";
};

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

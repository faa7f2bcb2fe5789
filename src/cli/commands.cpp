#include "cli/commands.h"

#include <algorithm>
#include <array>

#include "core/names.h"

namespace pegen::cli {
namespace {

constexpr std::array commands{
    Command{"list", "[presets|encodings|...] [--search TEXT] [--json]",
            "all presets, encodings, formats, colormaps and plots", run_list, list_usage},
    Command{"describe", "NAME | --config FILE",
            "formula, source and pitfalls of an encoding or preset, or a model's settings",
            run_describe, describe_usage},
    Command{"explain", "NAME [parameters] --at POSITION,CHANNEL [--json]",
            "how one value of a table comes about: formula, 40 digits, rounding", run_explain,
            explain_usage},
    Command{"compare", "NAME|FILE NAME|FILE [parameters]",
            "how two encodings differ, or which encoding a file has", run_compare, compare_usage},
    Command{"batch", "MANIFEST [options]",
            "make all tables and figures of a list of jobs, in JSON or as commands", run_batch,
            batch_usage},
    Command{"concat", "[outputs] [options] -- NAME|FILE [parameters] -- NAME|FILE ...",
            "put tables side by side, below each other, or add them", run_concat, concat_usage},
    Command{"plot", "FILE [parameters] [outputs] [options]",
            "draw your own table, from an NPY, NPZ, safetensors or PyTorch file", run_plot,
            plot_usage},
    Command{"info", "FILE [--json]",
            "what a file contains: statistics of a table, or the command that made a figure",
            run_info, info_usage},
    Command{"identify", "FILE | --before X --after Y | --permuted W --of W0",
            "which command makes the table in a file, or what a kernel does; exit status 0 if that "
            "is found, 1 if not",
            run_identify, identify_usage},
    Command{"diff", "[options] A [B] [-- NAME ...]",
            "compare two tables number by number; exit status 0 if equal, 1 if not", run_diff,
            diff_usage},
    Command{"check", "NAME|FILE|concat [parameters] [options]",
            "test what is claimed of position encodings; exit status 0 if it holds, 1 if not",
            run_check, check_usage},
    Command{"apply", "OPERATION --x FILE [options] [-- NAME ...]",
            "apply positions to an array: rotate its rows, add a table, convert RoPE weights",
            run_apply, apply_usage},
    Command{"attention", "MECHANISM [parameters] [outputs]",
            "compute scores, weights and outputs of attention with relative positions",
            run_attention, attention_usage},
    Command{"explore", "[NAME] [FILE] [parameters] [options]",
            "change parameters in a browser, and see the figure and every value's formula",
            run_explore, explore_usage},
    Command{"completion", "bash|zsh|fish|nushell|powershell",
            "print what makes a shell complete the words of pe-gen", run_completion,
            completion_usage},
    Command{"manual", "[NAME]", "print a page of the manual, for man", run_manual, manual_usage},
    Command{"help", "[NAME] [all]", "help on an encoding, a preset or a command", run_help,
            help_usage},
};

}  // namespace

std::span<const Command> all_commands() { return commands; }

std::vector<NamedWord> command_words() {
    std::vector<NamedWord> words;
    for (const Command& command : commands) words.push_back({command.name, command.summary});
    return words;
}

const Command* find_command(std::string_view name) {
    const auto found = std::ranges::find(commands, hyphenated(name), &Command::name);
    return found == commands.end() ? nullptr : &*found;
}

}  // namespace pegen::cli

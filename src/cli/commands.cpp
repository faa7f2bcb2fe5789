#include "cli/commands.h"

#include <array>

namespace pegen::cli {
namespace {

constexpr std::array commands{
    Command{"list", "[--json]", "every encoding, preset, format and colormap", run_list},
    Command{"describe", "NAME | --config FILE",
            "what an encoding or preset is, or a model has, in full", run_describe},
    Command{"compare", "NAME NAME [parameters]", "what separates two tables, in a sentence",
            run_compare},
    Command{"batch", "MANIFEST [options]", "many tables and figures, as a JSON file lists them",
            run_batch},
    Command{"plot", "FILE [parameters] [outputs] [figure options]",
            "a picture of your own table, from an NPY, NPZ or safetensors file", run_plot},
    Command{"info", "FILE [--json]", "what is in a file: its values, or the command that made it",
            run_info},
    Command{"diff", "[options] A [B] [-- NAME ...]",
            "how far two tables are apart: exit status 0 or 1", run_diff},
    Command{"check", "NAME|FILE|concat [parameters] [options]",
            "what is claimed of position encodings, measured: exit status 0 or 1", run_check},
    Command{"apply", "OPERATION --x FILE [options] [-- NAME ...]",
            "rotate an array, add a table to it, turn its rows into another pairing", run_apply},
    Command{"attention", "MECHANISM [parameters] [outputs]",
            "the scores, weights and outputs of attention with relative positions", run_attention},
    Command{"help", "[NAME]", "this help, or that of an encoding, preset or command", run_help},
};

}  // namespace

std::span<const Command> all_commands() { return commands; }

}  // namespace pegen::cli

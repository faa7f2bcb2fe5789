#pragma once

#include "cli/arguments.h"
#include "cli/behind_dashes.h"
#include "cli/subject.h"

namespace pegen::cli {

/// A command that makes tables, and its arguments, split by options_of(subject). No positional
/// argument is left.
struct TableCommand {
    Subject subject;
    Arguments given;
};

/// Reads the words of a command that makes tables: of an encoding, of a preset, of "attention
/// NAME", "plot FILE" or "concat ... -- ...". The parts of concat become its option --parts.
/// Throws: UsageError. Precondition: there is a word.
TableCommand table_command(Words words);

}  // namespace pegen::cli

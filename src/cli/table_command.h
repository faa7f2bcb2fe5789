#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cli/request.h"
#include "cli/subject.h"
#include "core/table.h"

namespace pegen::cli {

using Words = std::span<const std::string_view>;

/// Splits a command line at each "--".
std::vector<Words> parts_of(Words arguments);

/// Reads the words after a "--" of `command`: an encoding or preset, and the options for one table
/// of it. `example` is a command line for messages.
/// Throws: UsageError, also for any other option.
Request parse_behind_dashes(Words words, std::string_view command, std::string_view example);

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

/// Makes the table `name` of the encoding and options in `text`, such as "llama3.1 --d 64". Serves
/// as Table::other. Does not accept options that name files, since the text may come from an
/// untrusted manifest. Throws: UsageError.
Table other_table(std::string_view text, std::string_view name);

}  // namespace pegen::cli

#pragma once

#include <string>
#include <string_view>

#include "core/table.h"
#include "recognition/identify.h"

namespace pegen::cli {

/// Returns the answer as lines of text: the verdict, the command, how closely it agrees, and notes.
std::string as_text(const recognition::Identification& answer);

/// Returns the answer as a line of JSON, of the schema "pe-gen/identify/1". `table` is the table of
/// the file.
std::string as_json(const recognition::Identification& answer, const Table& table,
                    std::string_view file);

/// Returns the words of a command, quoted where necessary, as a line for a shell.
std::string command_text(const std::vector<std::string>& command);

}  // namespace pegen::cli

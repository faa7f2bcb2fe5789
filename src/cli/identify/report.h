#pragma once

#include <string>
#include <string_view>

#include "core/table.h"
#include "recognition/identify.h"

namespace pegen::cli {

/// Puts the answer into lines: the verdict, the command, how closely it agrees, and what else is to
/// be known. `table` is that of the file.
std::string as_text(const recognition::Identification& answer);

/// Returns the answer as a line of JSON, of the schema "pe-gen/identify/1".
std::string as_json(const recognition::Identification& answer, const Table& table,
                    std::string_view file);

/// Returns the words of a command as one would type them in a shell.
std::string command_text(const std::vector<std::string>& command);

}  // namespace pegen::cli

#pragma once

#include <string>
#include <string_view>

#include "core/dtype.h"
#include "core/json.h"
#include "core/table.h"
#include "recognition/identify.h"

namespace pegen::cli {

/// Returns the answer as lines of text: the verdict, the command, how closely it agrees, and notes.
std::string as_text(const recognition::Identification& answer);

/// Returns the answer as the content of a report in JSON. `table` is the table of the file.
Json as_json(const recognition::Identification& answer, const Table& table, std::string_view file);

/// Returns the words of a command, quoted where necessary, as a line for a shell.
std::string command_text(const std::vector<std::string>& command);

// What the reports on a table, a kernel and a permutation have in common.

/// Returns the names of presets, separated by commas. Shortens a very long name, such as one with a
/// list of positions, which the command shows in full.
std::string preset_names(const std::vector<std::string>& presets);

/// Returns a line of a report: the name, and behind it the text.
std::string report_line(std::string_view name, std::string_view text);

/// Returns how closely arrays agree: "within rounding: largest difference 1e-8, at (3, 5)".
/// `format` is the dtype in which code that agrees less closely computes.
std::string agreement_text(const recognition::Agreement& agreement, DType format = DType::float32);

/// Returns "identified", "not identified", or `ambiguous` for an ambiguous answer.
std::string_view verdict_text(recognition::Verdict verdict, std::string_view ambiguous);

Json agreement_json(const recognition::Agreement& agreement);

}  // namespace pegen::cli

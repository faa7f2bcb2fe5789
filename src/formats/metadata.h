#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "core/table.h"

namespace pegen {

/// Returns what a generated table is: {"encoding": ..., "preset": ..., "table": ..., "parameters":
/// {...}}, with all parameters, including defaults. "preset" is there only if the table was asked
/// for by one. For a table read from a file, encoding and table are null and parameters is {}.
nlohmann::ordered_json provenance_json(const Provenance& provenance);

/// Returns what a figure says of its table, in one line of ASCII: provenance_json() and, if they
/// are not the default, "dtype" and "figure": {...}, the options of the figure. Returns "" for a
/// table read from a file.
std::string figure_provenance(const Table& table, const Parameters& figure);

/// Returns what an archive says of its tables, in one line of ASCII: {"encoding": ..., "preset":
/// ..., "tables": {"cos": "float32", ...}, "parameters": {...}}. Returns "" for tables that were
/// not generated.
std::string archive_provenance(std::span<const Table> tables);

}  // namespace pegen

#pragma once

#include <span>
#include <string>

#include "core/json.h"
#include "core/table.h"
#include "formats/format.h"

namespace pegen {

/// Returns the origin of a generated table: {"encoding": ..., "preset": ..., "table": ...,
/// "parameters": {...}, "corruption": {...}}, with all parameters, including defaults. "preset" is
/// there only if the user named a preset, "corruption" only if the table is corrupted. For a table
/// read from a file, encoding and table are null and parameters is
/// {}.
Json provenance_json(const Provenance& provenance);

/// Returns the metadata that a figure holds on its table, in one line of ASCII: provenance_json()
/// and, if they are not the default, "dtype" and "figure": {...}, the options of the figure.
/// Returns "" for a table read from a file.
std::string figure_provenance(const Table& table, const Parameters& figure);

/// Returns the metadata that a file of the format, with these options, holds on its one table: for
/// a figure figure_provenance(), with the installed font that was found for it (with_found_font())
/// among its options. Throws: UsageError, as with_found_font().
std::string target_provenance(const Format& format, const Table& table, const Parameters& options);

/// Returns the metadata that an archive holds on its tables, in one line of ASCII: {"encoding":
/// ..., "preset": ..., "tables": {"cos": "float32", ...}, "arrays": "rope.{table}", "parameters":
/// {...}}; "arrays" only if the user chose their names. Returns "" for tables that were not
/// generated.
std::string archive_provenance(std::span<const Table> tables);

}  // namespace pegen

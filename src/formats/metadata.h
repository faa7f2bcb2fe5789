#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/table.h"

namespace pegen {

/// What a generated table is: {"encoding": ..., "preset": ..., "table": ..., "parameters": {...}},
/// defaults too. "preset" is there only if the table was asked for by one. For a table read from a
/// file, encoding and table are null and parameters is {}.
nlohmann::ordered_json provenance_json(const Provenance& provenance);

/// What a figure of the table says of itself, in one line of ASCII: the same, and, where they are
/// not the default, "dtype" and "figure": {...}, the options of the figure. "" for a table read
/// from a file.
std::string figure_provenance(const Table& table, const Parameters& figure);

}  // namespace pegen

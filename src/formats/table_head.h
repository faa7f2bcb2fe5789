#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/table.h"

namespace pegen {

/// Returns what a page needs to show the elements of a table, as a JSON object:
///  - "command" that makes the table, "name" of what it was asked for by, "table", "dtype",
///  "shape",
///    "title", "value_label", "version" of the program;
///  - "axes", outermost first: "name", "label", "kind", "size", "rows_before", "positions"
///    ({"start", "step"}, a list, or null if indices are positions), "index_names";
///  - "colours", the 256 of --cmap, six hexadecimal digits each, and "limits", the values of the
///    first and the last;
///  - "formula" with the numbers of the table, "source", "note".
/// `figure` are options of figures, of which --cmap, --vmin, --vmax, --vcentre and --title count.
/// Reads the whole table for the limits. Throws: UsageError if the limits do not go together.
nlohmann::ordered_json table_head(const Table& table, const Parameters& figure);

/// The most values of a table that a page holds.
inline constexpr std::int64_t most_values_of_page = std::int64_t{1} << 22;

/// Returns the elements in C order, little-endian, as they are in memory.
std::string element_bytes(const Table& table);

}  // namespace pegen

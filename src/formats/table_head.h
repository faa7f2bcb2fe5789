#pragma once

#include <string>

#include "core/json.h"
#include "core/table.h"

namespace pegen {

/// Returns the data that a page needs to show the elements of a table, as a JSON object:
///  - "command", which makes the table, "name", under which the user asked for it, "table",
///    "dtype", "shape", "title", "value_label", "version" of the program;
///  - "axes", outermost first: "name", "label", "kind", "size", "rows_before", "positions"
///    ({"start", "step"}, a list, or null if indices are positions), "index_names";
///  - "colours", the 256 colours of --cmap, six hexadecimal digits each, and "limits", the values
///    of the first and the last colour;
///  - "formula" with the numbers of the table, "source", "note".
/// `figure` holds options of figures, of which --cmap, --vmin, --vmax, --vcentre and --title count.
/// Reads the whole table for the limits. Throws: UsageError if the limits contradict each other.
Json table_head(const Table& table, const Parameters& figure);

/// The most values that a table on a page may have.
inline constexpr std::int64_t most_values_of_page = std::int64_t{1} << 22;

/// Returns the elements in C order, little-endian, as they are in memory.
std::string element_bytes(const Table& table);

}  // namespace pegen

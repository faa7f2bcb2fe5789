#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "core/table.h"

namespace pegen {

/// A table with its name in a legend.
struct NamedTable {
    std::string name;
    Table table;
};

/// Returns the sibling `name` of the table and, with --with, the tables `name` of other encodings.
/// --with is like "name: words; words". A table alone has no name. Throws: UsageError if one of
/// them has no such table, if there are more than colours of curves, or for a file.
std::vector<NamedTable> with_others(const Table& table, const Parameters& parameters,
                                    std::string_view name);

}  // namespace pegen

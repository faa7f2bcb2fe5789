#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/subject.h"
#include "core/table.h"
#include "inspect/comparison.h"

namespace pegen::cli {

/// One of two tables that are compared.
struct ComparedTable {
    std::string name;
    std::optional<Subject> subject;  ///< none: a file
    Table table;
    PositionTable values;
};

/// Reads the values of a table for a comparison.
/// Throws: UsageError if there are more than 2^24, or integers that doubles cannot tell apart.
ComparedTable compared(std::string name, std::optional<Subject> subject, Table table);

/// What is said of two tables.
struct TableComparison {
    std::vector<std::string> sentences;          ///< what separates them
    std::optional<Rearrangement> rearrangement;  ///< how one is found in the other
    bool are_same;                               ///< of one shape, and every value is the same
};

/// Compares two tables; the rearrangement is that of the first in the second, or the other way
/// round if the second has fewer channels. If one is a file and the other is an encoding's table,
/// differences that are usual for float32 arithmetic do not count.
TableComparison comparison_of(const ComparedTable& first, const ComparedTable& second);

}  // namespace pegen::cli

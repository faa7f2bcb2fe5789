#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/subject.h"
#include "core/table.h"
#include "inspect/comparison.h"

namespace pegen::cli {

/// One of the two tables of a comparison.
struct ComparedTable {
    std::string name;
    std::optional<Subject> subject;  ///< empty for a file
    Table table;
    PositionTable values;
};

/// Reads the values of a table for a comparison. Rows in front of the first position, such as the
/// row of a class token, count as positions if the `file` it is compared with has the same shape.
/// Throws: UsageError if the table has more than 2^24 values, or integers that doubles cannot tell
/// apart.
ComparedTable compared(std::string name, std::optional<Subject> subject, Table table,
                       const Table* file = nullptr);

/// Returns the parameters in which two tables of one encoding differ, with both values: "--layout
/// (interleaved, halves), --start (0, 2)".
std::string settings_text(const Parameters& a, const Parameters& b);

/// The result of a comparison of two tables.
struct TableComparison {
    std::vector<std::string> sentences;  ///< the differences between the tables
    /// The differences, and how one table is contained in the other: the first in the second, or
    /// the second in the first if `is_swapped`.
    Comparison result;
    bool is_swapped;
    bool are_same;      ///< true if the shapes and all values are equal
    bool is_explained;  ///< a sentence says how one table was made of the other
};

/// Compares two tables. The rearrangement tells where the first table is found in the second, or
/// the second in the first if the second has fewer channels. If one table is a file and the other
/// one belongs to an encoding, differences that are usual for float32 arithmetic do not count.
TableComparison comparison_of(const ComparedTable& first, const ComparedTable& second);

/// Returns a sentence with the command that makes a file: "mine.npy is made by pe-gen fairseq
/// --start 2 --arith float32." One of `a` and `b` must be the file, the other one the table of an
/// encoding; the file may begin at another row of this table, or have the rounding errors of
/// float32 arithmetic. Returns "" if no such command makes the file, or if the two are equal.
/// `comparison` is the result of comparison_of(a, b).
std::string made_by(const ComparedTable& a, const ComparedTable& b,
                    const TableComparison& comparison);

}  // namespace pegen::cli

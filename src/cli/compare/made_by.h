#pragma once

#include <string>

#include "cli/compare/report.h"

namespace pegen::cli {

/// Returns a sentence with the command that makes a file: "mine.npy is made by pe-gen fairseq
/// --start 2 --arith float32." One of `a` and `b` must be the file, the other one the table of an
/// encoding; the file may begin at another row of this table, or have the rounding errors of
/// float32 arithmetic. Returns "" if no such command makes the file, or if the two are equal.
/// `comparison` is the result of comparison_of(a, b).
std::string made_by(const ComparedTable& a, const ComparedTable& b,
                    const TableComparison& comparison);

}  // namespace pegen::cli

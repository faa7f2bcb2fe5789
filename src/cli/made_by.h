#pragma once

#include <string>

#include "cli/compare_report.h"

namespace pegen::cli {

/// Says which command makes a file that is the table of an encoding from another row on, or in
/// float32 arithmetic: "mine.npy is made by pe-gen fairseq --start 2 --arith float32." "" if no
/// such command does, or if the two are the same. `comparison` is that of `a` and `b`.
std::string made_by(const ComparedTable& a, const ComparedTable& b,
                    const TableComparison& comparison);

}  // namespace pegen::cli

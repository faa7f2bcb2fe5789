#pragma once

#include <string>

#include "cli/compare_report.h"

namespace pegen::cli {

/// Says which --start makes a file whose rows are those of an encoding's table from another row on,
/// as a sentence: "mine.npy is made by pe-gen fairseq --start 2." "" if none does. `comparison` is
/// that of `a` and `b`.
std::string shifted_start(const ComparedTable& a, const ComparedTable& b,
                          const TableComparison& comparison);

}  // namespace pegen::cli

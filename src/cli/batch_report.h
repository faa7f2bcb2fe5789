#pragma once

#include <string>
#include <vector>

#include "cli/batch_run.h"

namespace pegen::cli {

/// Returns a line for each file that is not up to date, but for those that failed: "wrote a.npy",
/// "out of date: a.png: d: 64 -> 128", "missing: a.csv", "orphan: old.npy".
std::string text_of(const Batch& batch, const std::vector<JobReport>& reports);

/// Returns "7 jobs: 2 files written, 5 up to date\n"; "" if nothing has been looked at.
std::string summary_of(const Batch& batch, const std::vector<JobReport>& reports);

/// Returns a JSON object in a line for each file, and for each job that failed before its files
/// were known. The reports on jobs come first, in their order.
std::string json_of(const Batch& batch, const std::vector<JobReport>& reports);

}  // namespace pegen::cli

#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cli/batch/run.h"

namespace pegen::cli {

/// Runs the jobs and returns the reports of all jobs; returns nothing if another process reports
/// them. The function must set Jobs::next itself.
using RunJobs = std::function<std::optional<std::vector<JobReport>>(const Batch&, Jobs,
                                                                    MadeFolders&, ProgressLine&)>;

/// Runs `pe-gen batch arguments...`. `run_all` runs the jobs. Throws: as run().
ExitStatus run_batch(std::span<const std::string_view> arguments, const RunJobs& run_all);

}  // namespace pegen::cli

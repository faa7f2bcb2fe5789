#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cli/batch_run.h"

namespace pegen::cli {

/// Runs the jobs, whose `next` is not set, and returns the reports of all; nothing if another
/// process reports them.
using RunJobs = std::function<std::optional<std::vector<JobReport>>(const Batch&, Jobs,
                                                                    MadeFolders&, ProgressLine&)>;

/// Does what `pe-gen batch arguments...` asks for, with jobs that are run by `run_all`.
/// Throws: as run().
ExitStatus run_batch(std::span<const std::string_view> arguments, const RunJobs& run_all);

}  // namespace pegen::cli

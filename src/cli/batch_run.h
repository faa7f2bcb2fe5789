#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_status.h"
#include "cli/manifest.h"
#include "cli/progress_line.h"

namespace pegen::cli {

/// write: writes the files that are out of date; check: only lists them; describe: lists every file
/// without looking at it.
enum class BatchMode { write, check, describe };

/// The outcome of a job.
struct JobReport {
    std::vector<std::string> lines;  ///< one for each file that was not up to date
    std::vector<std::string> notes;  ///< on the files written, each begins with the job's place
    std::int64_t fresh = 0;          ///< number of files that were up to date
    std::optional<Failure> failure;  ///< its message begins with the job's place
};

/// Brings the files of all jobs up to date, in the current folder, `workers` jobs at a time; a job
/// that fails does not stop the others. Files that are up to date are not touched.
/// Throws: FormatError, naming `path`, before anything is written, if a job has a key that is no
/// option, or two jobs have one target.
std::vector<JobReport> run_jobs(const Manifest& manifest, std::string_view path, BatchMode mode,
                                int workers, ProgressLine& line);

}  // namespace pegen::cli

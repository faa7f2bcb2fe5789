#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/batch/files.h"
#include "cli/batch/manifest.h"
#include "cli/process.h"
#include "cli/progress_line.h"
#include "files/output_file.h"

namespace pegen {
class MadeFolders;
}

namespace pegen::cli {

/// What a batch does. write: writes the files that are out of date. check: only finds them.
/// describe: plans every file, without looking at existing files.
enum class BatchMode { write, check, describe };

/// What was found out about a file, or done with it.
enum class Outcome { up_to_date, written, out_of_date, missing, planned, failed, orphan };

struct FileReport {
    std::string path;         ///< relative to the manifest's folder
    std::string_view format;  ///< name of the format: "npy"
    Outcome outcome;
    std::string reason{};  ///< why the file was out of date, if Batch::says_why
    std::string plan{};    ///< what would be written: "sinusoid, (3, 2) float64, 176 bytes"
    std::string entry{};   ///< the file's lines in the index; "" if it has none
};

/// The result of a unit of jobs, or of updating the index.
struct JobReport {
    std::optional<std::size_t> job{};  ///< the first job's number; empty for the index
    std::size_t jobs = 1;              ///< how many jobs the unit has
    std::vector<FileReport> files{};   ///< empty if the files are not known
    std::vector<std::string> notes{};  ///< on written files; each note begins with the job's place
    std::optional<Failure> failure{};  ///< the message begins with the job's place
};

/// A manifest and how it is run. Its folder is the current folder.
struct Batch {
    const Manifest& manifest;
    std::string path;    ///< path of the manifest, for messages
    std::string folder;  ///< the manifest's folder, relative to the starting folder; "" if the same
    BatchMode mode;
    Sync sync;
    bool says_why;  ///< reports say why a file was out of date

    /// Converts a path relative to the manifest's folder into one relative to the folder in which
    /// the program was started.
    std::string from_start(std::string_view file) const;
};

/// The jobs to run, several at a time.
struct Jobs {
    std::vector<Unit> units;  ///< all jobs, in the order in which they start
    int workers;              ///< number of units that this process runs at a time
    /// Returns the index in `units` of the next one for this process, or an index past the end if
    /// none is left. Any number of threads may call it.
    std::function<std::size_t()> next;
};

/// Brings the files of the jobs up to date, or, by the mode, only examines or plans them. A job
/// that fails does not stop the other jobs. Files that are up to date are not touched. If the
/// manifest has an index, the reports contain an index entry for every file that is up to date or
/// was written. In check mode they also contain entries, without size and hash, for all other
/// files. Returns the reports in the order of the manifest.
std::vector<JobReport> run_jobs(const Batch& batch, const Jobs& jobs, MadeFolders& folders,
                                ProgressLine& line);

/// Makes the folder of the file `path` if the manifest makes folders.
/// Throws: FileError if the folder does not exist and the manifest does not make folders.
void prepare_folder(const Batch& batch, const std::string& path, MadeFolders& folders);

/// Describes the exception that is being handled. `place` is the part of the manifest that it is
/// about: "jobs[3]". If the message begins with one of `paths`, that path is shown relative to the
/// folder in which the program was started.
Failure failure_at(const Batch& batch, const std::string& place,
                   const std::vector<std::string>& paths);

/// Runs the jobs and returns the reports of all jobs; returns nothing if another process reports
/// them. The function must set Jobs::next itself.
using RunJobs = std::function<std::optional<std::vector<JobReport>>(const Batch&, Jobs,
                                                                    MadeFolders&, ProgressLine&)>;

/// Runs `pe-gen batch arguments...`. `run_all` runs the jobs. Throws: as run().
ExitStatus run_batch(std::span<const std::string_view> arguments, const RunJobs& run_all);

}  // namespace pegen::cli

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_status.h"
#include "cli/manifest.h"
#include "cli/progress_line.h"
#include "files/output_file.h"

namespace pegen {
class MadeFolders;
}

namespace pegen::cli {

/// write: writes the files that are out of date; check: only finds them; describe: says what every
/// file would be, without looking at it.
enum class BatchMode { write, check, describe };

/// What was found of a file, or done with it.
enum class Outcome { up_to_date, written, out_of_date, missing, planned, failed, orphan };

struct FileReport {
    std::string path;         ///< from the manifest's folder
    std::string_view format;  ///< "npy"
    Outcome outcome;
    std::string reason{};  ///< why it was out of date
    std::string plan{};    ///< what it would be: "sinusoid, (3, 2) float64, 176 bytes"
    std::string entry{};   ///< its line in the index; "" if it has none
};

/// What became of a job, or of the index.
struct JobReport {
    std::optional<std::size_t> job{};  ///< its number; none for the index
    std::vector<FileReport> files{};   ///< empty if it is not known what they are
    std::vector<std::string> notes{};  ///< on the files written, each begins with the job's place
    std::optional<Failure> failure{};  ///< its message begins with the job's place
};

/// A manifest whose folder is the current one, and what is done with it.
struct Batch {
    const Manifest& manifest;
    std::string path;    ///< of the manifest, for messages
    std::string folder;  ///< from where the program was started to the manifest; "" for none
    BatchMode mode;
    Sync sync = Sync::replacing;

    /// Returns a path from the manifest's folder as one from where the program was started.
    std::string from_start(std::string_view file) const;
};

/// The jobs that are to be run, several of them at a time.
struct Jobs {
    std::vector<std::size_t> numbers;  ///< of all, in the order in which they are begun
    int workers;                       ///< how many this process runs at a time
    /// Returns the index in `numbers` of the job that is next to be run by this process; beyond the
    /// last one if there is none. Any number of threads may call it.
    std::function<std::size_t()> next;
};

/// Brings the files of jobs up to date; a job that fails does not stop the others. Files that are
/// up to date are not touched. If the manifest has an index, the reports have the entries of all
/// files that are there and right and, unless they are written, entries without size and hash of
/// those that are not. Returns the reports in the order of the manifest.
std::vector<JobReport> run_jobs(const Batch& batch, const Jobs& jobs, MadeFolders& folders,
                                ProgressLine& line);

/// Makes what has to be there before the file `path` can be written.
/// Throws: FileError if its folder does not exist, unless the manifest makes folders.
void prepare_folder(const Batch& batch, const std::string& path, MadeFolders& folders);

/// Describes the exception that is being handled, of the part `place` of the manifest: "jobs[3]".
/// One of `paths` that its message begins with is shown from where the program was started.
Failure failure_at(const Batch& batch, const std::string& place,
                   const std::vector<std::string>& paths);

}  // namespace pegen::cli

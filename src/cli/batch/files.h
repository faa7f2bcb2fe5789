#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/batch/manifest.h"

namespace pegen::cli {

/// Checks that `path` leads to a file in or below the current folder: the path is relative and
/// contains neither ".." nor a symbolic link, which might lead anywhere.
/// Throws: UsageError if it does not.
void check_beneath(std::string_view path);

/// Jobs that write their files together: one job, or all jobs whose arrays are in one archive.
struct Unit {
    std::size_t first;                  ///< number of the first job
    std::vector<std::size_t> others{};  ///< numbers of the others, in their order
    std::string archive{};              ///< path of the archive; "" if a job writes its own files
};

/// The files that the jobs of a manifest write.
struct BatchFiles {
    /// Maps each file to the number of the job that writes it. The index and the manifest have
    /// numbers that no job has.
    std::map<std::string, std::size_t> owners{};
    /// Why the files of some job are unknown: "jobs[3]: --d 3: ..."; "" if all files are known.
    std::string unknown{};
    std::vector<Unit> units{};  ///< all jobs, in the order of the first of each

    bool has(const std::string& path) const;
};

/// Checks the keys, the targets and the inputs of the jobs with these numbers, which run in any
/// order, and returns the files that they write. Skips a job whose options are invalid, which fails
/// when it is run, with the archive that other jobs of its family write. Uses all threads.
/// Throws: FormatError, naming `path`, if a key is no option, two jobs have one target, a target is
/// a folder of another target, or one job reads what another job writes.
BatchFiles files_of(const Manifest& manifest, std::span<const std::size_t> jobs,
                    std::string_view path);

/// True if a job writes to an archive that other jobs may write to: shares then need all jobs.
bool has_shared_archives(const Manifest& manifest);

}  // namespace pegen::cli

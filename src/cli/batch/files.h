#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "cli/batch/manifest.h"

namespace pegen::cli {

/// The files that the jobs of a manifest write.
struct BatchFiles {
    /// Maps each file to the number of the job that writes it. The index and the manifest have
    /// numbers that no job has.
    std::map<std::string, std::size_t> owners{};
    /// Why the files of some job are unknown: "jobs[3]: --d 3: ..."; "" if all files are known.
    std::string unknown{};

    bool has(const std::string& path) const;
};

/// Checks the keys, the targets and the inputs of the jobs with these numbers, which run in any
/// order, and returns the files that they write. Skips a job whose options are invalid, which fails
/// when it is run. Uses all threads.
/// Throws: FormatError, naming `path`, if a key is no option, two jobs have one target, a target is
/// a folder of another target, or one job reads what another job writes.
BatchFiles files_of(const Manifest& manifest, std::span<const std::size_t> jobs,
                    std::string_view path);

}  // namespace pegen::cli

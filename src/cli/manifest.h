#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pegen::cli {

/// An option of a job.
struct Setting {
    std::string key;   ///< hyphenated
    std::string text;  ///< the value as one would type it; "true" or "false" for a flag
    bool is_text;      ///< the value is a JSON string
};

/// A table to be made, and the files to write it to. It refers to its manifest.
struct Job {
    std::string place;      ///< "jobs[3]", or "jobs[3] with d 64, base 100" if it is one of a sweep
    std::string_view name;  ///< of an encoding or a preset
    std::vector<const Setting*> settings;
};

/// An option of a sweep and the values it takes in turn.
struct Sweep {
    std::string key;
    std::vector<Setting> settings;
};

/// The jobs that differ in what they sweep over, and share everything else.
struct JobFamily {
    std::size_t first;  ///< the number of its first job
    std::string place;  ///< "jobs[3]"
    std::vector<Setting> settings;
    std::vector<Sweep> sweeps;
};

/// Jobs are made one at a time: many of them may share a long text.
struct Manifest {
    std::vector<Setting> defaults;  ///< for the jobs that do not set the option themselves
    std::vector<JobFamily> families;
    std::size_t size = 0;  ///< number of jobs

    /// Returns the job of this number; the first option of a sweep varies slowest.
    Job job(std::size_t number) const;
};

/// Parses a manifest:
///   {"defaults": {option: value, ...},
///    "jobs": [{"encoding": name, option: value, ..., "sweep": {option: [value, ...], ...}}, ...]}
/// A sweep makes a job for each combination. Values are texts, numbers, true or false, or lists of
/// these. "$schema" is ignored. `path` is for messages. The names of options are not checked.
/// Throws: FormatError with the place if the text is not such a manifest, has more than 100,000
/// jobs, or if the values of all jobs are longer than 2^30 bytes together.
Manifest parse_manifest(std::string_view text, std::string_view path);

}  // namespace pegen::cli

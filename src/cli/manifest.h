#pragma once

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

/// A table to be made, and the files to write it to.
struct Job {
    std::string place;  ///< "jobs[3]", or "jobs[3] with d 64, base 100" if it is one of a sweep
    std::string name;   ///< of an encoding or a preset
    std::vector<Setting> settings;
};

struct Manifest {
    std::vector<Setting> defaults;  ///< for the jobs that do not set the option themselves
    std::vector<Job> jobs;
};

/// Parses a manifest:
///   {"defaults": {option: value, ...},
///    "jobs": [{"encoding": name, option: value, ..., "sweep": {option: [value, ...], ...}}, ...]}
/// A sweep makes a job for each combination, the first option varying slowest. Values are texts,
/// numbers, true or false, or lists of these. "$schema" is ignored. `path` is for messages. The
/// names of options are not checked.
/// Throws: FormatError with the place if the text is not such a manifest, or has more than 100,000
/// jobs.
Manifest parse_manifest(std::string_view text, std::string_view path);

}  // namespace pegen::cli

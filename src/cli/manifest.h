#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pegen::cli {

/// An option as a manifest has it.
struct Setting {
    std::string key;   ///< hyphenated
    std::string text;  ///< the value as one would type it; of a flag "true" or "false"
    bool is_text;      ///< it stood between quotation marks
};

/// A table to be made, and the files to write it to.
struct Job {
    std::string place;  ///< "jobs[3]", of a sweep "jobs[3] with d 64, base 100"
    std::string name;   ///< of an encoding or a preset
    std::vector<Setting> settings;
};

struct Manifest {
    std::vector<Setting> defaults;  ///< what holds for the jobs that do not say otherwise
    std::vector<Job> jobs;
};

/// The manifest that is
///   {"defaults": {option: value, ...},
///    "jobs": [{"encoding": name, option: value, ..., "sweep": {option: [value, ...], ...}}, ...]}
/// A sweep is a job for each combination, its first option slowest. Values are texts, numbers,
/// true or false, or lists of these. "$schema" is passed over. `path` is for messages.
/// Throws: FormatError with the place if the text is no such manifest, or has more than
/// 100,000 jobs. Whether there are such options is not known here.
Manifest parse_manifest(std::string_view text, std::string_view path);

}  // namespace pegen::cli

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/batch/typed_value.h"

namespace pegen::cli {

/// An option of a job, or a label.
struct Setting {
    std::string key;   ///< name of an option, with hyphens, or of a label, as it is written
    TypedValue value;  ///< "true" or "false" for a flag
};

/// One job: a table, and the files to write it to. It has pointers into its manifest.
struct Job {
    std::string place;      ///< "jobs[3]"; for a job of a sweep "jobs[3] with d 64, base 100"
    std::string_view name;  ///< name of an encoding or a preset
    std::vector<const Setting*> settings;
    std::vector<const Setting*> labels;  ///< including labels from the defaults
};

/// An option or a label that a sweep varies, and its values.
struct Sweep {
    std::string key;
    bool is_label;
    std::vector<Setting> settings;
};

/// The jobs of one sweep: they differ in the swept options and labels and share all other settings.
struct JobFamily {
    std::size_t first;  ///< the number of the family's first job
    std::string place;  ///< "jobs[3]"
    std::vector<Setting> settings;
    std::vector<Setting> labels;
    std::vector<Sweep> sweeps;
};

/// The content of a manifest. Jobs are built on demand by job(), since many of them may share a
/// long text.
struct Manifest {
    bool makes_folders = false;     ///< true if folders of outputs are created
    std::string index;              ///< the file that lists all written files; "" for none
    std::vector<Setting> defaults;  ///< for the jobs that do not set the option themselves
    std::vector<Setting> labels;    ///< for the jobs that do not set the label themselves
    std::vector<JobFamily> families;
    std::size_t size = 0;  ///< number of jobs

    /// Returns the job with this number, which counts from 0. The first option of a sweep varies
    /// slowest.
    Job job(std::size_t number) const;
};

/// Parses a manifest:
///   {"mkdir": true, "index": "index.jsonl",
///    "defaults": {option: value, ..., "labels": {...}},
///    "jobs": [{"encoding": name, option: value, ..., "labels": {name: value, ...},
///              "sweep": {option: [value, ...], ..., "labels": {name: [value, ...], ...}}}, ...]}
/// A sweep makes a job for each combination of its values; see sweep_values(). The value of an
/// option is a text, a number, true, false, or a list of such values; the value of a label is no
/// list. "$schema" is ignored. `path` is for messages. The names of options are not checked.
/// Throws: FormatError with the place if the text is not such a manifest, has more than a million
/// jobs, or if the values of all jobs together are longer than 2^30 bytes.
Manifest parse_manifest(std::string_view text, std::string_view path);

}  // namespace pegen::cli

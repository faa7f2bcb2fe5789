#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/typed_value.h"

namespace pegen::cli {

/// An option of a job, or a label.
struct Setting {
    std::string key;   ///< of an option, hyphenated; of a label, as the manifest has it
    TypedValue value;  ///< "true" or "false" for a flag
};

/// A table to be made, and the files to write it to. It refers to its manifest.
struct Job {
    std::string place;      ///< "jobs[3]", or "jobs[3] with d 64, base 100" if it is one of a sweep
    std::string_view name;  ///< of an encoding or a preset
    std::vector<const Setting*> settings;
    std::vector<const Setting*> labels;  ///< with those of the defaults
};

/// An option or a label of a sweep and the values it takes in turn.
struct Sweep {
    std::string key;
    bool is_label;
    std::vector<Setting> settings;
};

/// The jobs that differ in what they sweep over, and share everything else.
struct JobFamily {
    std::size_t first;  ///< the number of its first job
    std::string place;  ///< "jobs[3]"
    std::vector<Setting> settings;
    std::vector<Setting> labels;
    std::vector<Sweep> sweeps;
};

/// Jobs are made one at a time: many of them may share a long text.
struct Manifest {
    bool makes_folders = false;     ///< those that a path of an output needs
    std::string index;              ///< the file that lists all others; "" for none
    std::vector<Setting> defaults;  ///< for the jobs that do not set the option themselves
    std::vector<Setting> labels;    ///< for the jobs that do not set the label themselves
    std::vector<JobFamily> families;
    std::size_t size = 0;  ///< number of jobs

    /// Returns the job of this number; the first option of a sweep varies slowest.
    Job job(std::size_t number) const;
};

/// Parses a manifest:
///   {"mkdir": true, "index": "index.jsonl",
///    "defaults": {option: value, ..., "labels": {...}},
///    "jobs": [{"encoding": name, option: value, ..., "labels": {name: value, ...},
///              "sweep": {option: [value, ...], ..., "labels": {name: [value, ...], ...}}}, ...]}
/// A sweep makes a job for each combination; see sweep_values(). Values are texts, numbers, true or
/// false, or lists of these; those of labels are no lists. "$schema" is ignored. `path` is for
/// messages. The names of options are not checked.
/// Throws: FormatError with the place if the text is not such a manifest, has more than a million
/// jobs, or if the values of all jobs are longer than 2^30 bytes together.
Manifest parse_manifest(std::string_view text, std::string_view path);

}  // namespace pegen::cli

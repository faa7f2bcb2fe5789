#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/batch/varied_values.h"

namespace pegen::cli {

/// An option of a job, or a label.
struct Setting {
    std::string key;   ///< name of an option, with hyphens, or of a label, as it is written
    TypedValue value;  ///< "true" or "false" for a flag
};

/// One job: a table, and the files to write it to. It has pointers into its manifest.
struct Job {
    std::string place;      ///< "jobs[3]", "line 3"; of a sweep "jobs[3] with d 64, base 100"
    std::string_view name;  ///< name of an encoding or a preset
    std::vector<const Setting*> settings;
    std::vector<const Setting*> labels;    ///< including labels from the defaults
    std::vector<const Setting*> defaults;  ///< drawn for it, besides the manifest's defaults
    std::optional<std::size_t> sample;     ///< its number, from 0, if the job is one of a sample
    std::vector<std::unique_ptr<const Setting>> drawn;  ///< what was drawn for it
};

/// An option or a label that a sweep varies, and its values.
struct Sweep {
    std::string key;
    bool is_label;
    std::vector<Setting> settings;
};

/// An option or a label that is drawn anew for each job of a sample.
struct Drawn {
    std::string key;
    bool is_label;
    Distribution distribution;
    bool is_default = false;  ///< without effect on an encoding that has no such option
};

/// How many jobs are drawn of each combination of a sweep, and what is drawn for them.
struct Sample {
    std::size_t count = 1;
    std::uint64_t seed = 0;
    std::size_t place = 0;  ///< of the job in the list
    std::vector<Drawn> drawn;
};

/// The jobs of one sweep and sample: they differ in what is swept or drawn and share all other
/// settings.
struct JobFamily {
    std::size_t first;  ///< the number of the family's first job
    std::string place;  ///< "jobs[3]", "line 3"
    std::vector<Setting> settings;
    std::vector<Setting> labels;
    std::vector<Sweep> sweeps;
    std::optional<Sample> sample;
};

/// The content of a manifest. Jobs are built on demand by job(), since many of them may share a
/// long text.
struct Manifest {
    bool makes_folders = false;  ///< true if folders of outputs are created
    std::string index;           ///< the file that lists all written files; "" for none
    /// The bytes of arrays after which an archive with {shard} in its name ends; 0 if none is
    /// given.
    std::int64_t shard_size = 0;
    std::vector<Setting> defaults;  ///< for the jobs that do not set the option themselves
    std::vector<Setting> labels;    ///< for the jobs that do not set the label themselves
    std::vector<Drawn> drawn;       ///< likewise, for the jobs of samples
    std::vector<JobFamily> families;
    std::size_t size = 0;  ///< number of jobs

    /// Returns the job with this number, which counts from 0. The first option of a sweep varies
    /// slowest, the number of the sample fastest. What is drawn depends on nothing but the seed,
    /// the place of the job in the list, the name of the option and the number of the sample: the
    /// random numbers are the first two words, big-endian, of the SHA-256 of
    /// "SEED/PLACE/NAME/NUMBER", with NAME as the manifest has it, but with hyphens.
    Job job(std::size_t number) const;
};

/// Parses a manifest:
///   {"mkdir": true, "index": "index.jsonl", "shard-size": "1G",
///    "defaults": {option: value, ..., "labels": {...}},
///    "jobs": [{"encoding": name, option: value, ..., "labels": {name: value, ...},
///              "sweep": {option: [value, ...], ..., "labels": {name: [value, ...], ...}},
///              "sample": {"count": number, "seed": number}}, ...]}
/// A sweep makes a job for each combination of its values; see sweep_values(). A sample makes so
/// many jobs of each, with a value that is drawn for each option that has a distribution(). The
/// value of an option is a text, a number, true, false, a list of such values, or, in a job with a
/// sample, a distribution; the value of a label is no list. "sample" may be the count alone; the
/// seed is then 0. A distribution in the defaults is for samples that do not set the option. Where
/// a sample has noise, dropout or a shuffle, its corruption-seed is drawn, too, unless it is set. A
/// job may be a text, the command line that one would type: "sinusoid --d 8 -o a.npy". Comments, //
/// and /* */, and "$schema" are ignored.
///
/// A text that does not begin like JSON has a command line in each line, in the words of a POSIX
/// shell: quotes, backslashes and comments behind #, but no variables.
///
/// `path` is for messages. The names of options are checked in command lines only.
/// Throws: FormatError with the place if the text is not such a manifest, has more than a million
/// jobs, or if the values of all jobs together are longer than 2^30 bytes.
Manifest parse_manifest(std::string_view text, std::string_view path);

}  // namespace pegen::cli

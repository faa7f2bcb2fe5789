#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/batch/manifest.h"
#include "cli/request.h"

namespace pegen::cli {

/// Returns the options that a job may set: all options of the subject, except those that show a
/// table on the terminal and those of a run.
std::vector<const ParameterSpec*> job_options(const Subject& subject);

/// Returns the encodings that a job may name: all encodings and mechanisms, the array in a file,
/// and the concatenation of tables.
std::vector<const Encoding*> encodings_of_jobs();

/// Returns all options that some job may set, sorted by name.
std::vector<const ParameterSpec*> options_of_all_jobs();

/// Throws: FormatError, naming `path`, if a default is not an option that some job may set.
void check_defaults(const std::vector<Setting>& defaults, std::string_view path);

/// Converts a job of a manifest in the current folder into a request. In the paths of its outputs,
/// {name} is replaced by the value of a parameter, of "encoding", "table" or "dtype", or of a
/// label, or by the number of the sample; {name:04} is the same with at least four digits. {shard}
/// stays. Ignores a default if neither the
/// encoding nor a format that is written has this option.
/// Throws: FormatError, naming `path` and the job, if a key is not an option of the encoding, two
/// keys mean one option, or a label has the name of an option; UsageError if the options do not go
/// together, or a path leaves the folder.
Request job_request(const Job& job, const std::vector<Setting>& defaults, std::string_view path);

/// True if the path has a {shard} in it.
bool has_shard(std::string_view path);

/// Returns the path with the number in the place of {shard}. Throws: UsageError, as for {name:04}.
std::string with_shard(const std::string& path, std::int64_t number);

}  // namespace pegen::cli

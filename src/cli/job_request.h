#pragma once

#include "cli/manifest.h"
#include "cli/request.h"

namespace pegen::cli {

/// The options that a job may set: none of those that show a table, or are of a run.
std::vector<const ParameterSpec*> job_options(const Subject& subject);

/// All options that some job may set, of all encodings and mechanisms, by their names.
std::vector<const ParameterSpec*> options_of_all_jobs();

/// Throws: FormatError, naming `path`, if a default is not an option that some job may set.
void check_defaults(const std::vector<Setting>& defaults, std::string_view path);

/// Returns the request that a job of a manifest in the current folder means. In the paths of its
/// outputs {name} stands for the value of a parameter, of "encoding", "table", "dtype" or of a
/// label, and {name:04} for the same with at least four digits. A default that neither the encoding
/// nor a written format has an option for is ignored.
/// Throws: FormatError, naming `path` and the job, if a key is not an option of the encoding, two
/// keys mean one option, or a label has the name of an option; UsageError if the options do not go
/// together, or a path leaves the folder.
Request job_request(const Job& job, const std::vector<Setting>& defaults, std::string_view path);

}  // namespace pegen::cli

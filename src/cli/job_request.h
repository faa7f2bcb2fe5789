#pragma once

#include "cli/manifest.h"
#include "cli/request.h"

namespace pegen::cli {

/// The options that a job may set.
std::vector<const ParameterSpec*> job_options(const Subject& subject);

/// Returns the request that a job of a manifest in the current folder means. In the paths of its
/// outputs {name} stands for the value of a parameter, of "encoding", "table" or "dtype". A default
/// that neither the encoding nor a written format has an option for is ignored.
/// Throws: FormatError, naming `path` and the job, if a key is not an option of the encoding, or
/// two keys mean one option; UsageError if the options do not go together, or a path leaves the
/// folder.
Request job_request(const Job& job, const std::vector<Setting>& defaults, std::string_view path);

}  // namespace pegen::cli

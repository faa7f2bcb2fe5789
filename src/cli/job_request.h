#pragma once

#include "cli/manifest.h"
#include "cli/request.h"

namespace pegen::cli {

/// The options that a job may set.
std::vector<const ParameterSpec*> job_options(const Subject& subject);

/// The request that a job of a manifest in the current folder comes to. In the paths of its outputs
/// {name} stands for the value of a parameter, of "encoding", "table" or "dtype". A default that
/// the encoding, or the formats that are written, have no use for is passed over.
/// Throws: FormatError, naming `path` and the job, if it has a key that is no option of its
/// encoding, or two for one option; UsageError if the options do not go, or a path leaves the
/// folder.
Request job_request(const Job& job, const std::vector<Setting>& defaults, std::string_view path);

}  // namespace pegen::cli

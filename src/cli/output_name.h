#pragma once

#include <string>

#include "cli/manifest.h"
#include "cli/request.h"

namespace pegen::cli {

/// What the path of a job's output may name.
struct OutputName {
    const Job& job;
    const Request& request;
    const RequestedTable& table;
    const Parameters& of_format;  ///< such as those of the figure
};

/// Puts values in the place of each {name} in a path: those of parameters and of options of
/// the format but its texts, of "encoding", "table" and "dtype", and of labels. {name:04} is an
/// integer of at least four digits. Throws: UsageError for a name that there is not, a value with a
/// '/', and a path too long for the system.
std::string expanded(const std::string& path, const OutputName& of);

}  // namespace pegen::cli

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "cli/manifest.h"

namespace pegen::cli {

/// The files that a manifest makes.
struct BatchFiles {
    /// The number of the job that makes each file; other numbers for the index and the manifest.
    std::map<std::string, std::size_t> owners{};
    /// Why it is not known what some job makes: "jobs[3]: --d 3: ..."; "" if all is known.
    std::string unknown{};

    bool has(const std::string& path) const;
};

/// Checks the keys, the targets and the inputs of all jobs, which run in any order, and returns the
/// files that they make. A job that asks for what cannot be done is passed over: it fails when it
/// is run.
/// Throws: FormatError, naming `path`, if a key is no option, two jobs have one target, a target is
/// a folder of another, or one job reads what another writes.
BatchFiles files_of(const Manifest& manifest, std::string_view path);

}  // namespace pegen::cli

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cli/batch/files.h"
#include "cli/batch/run.h"
#include "cli/request.h"
#include "core/table.h"

namespace pegen {
class Sha256;
}

namespace pegen::cli {

inline constexpr std::int64_t most_bytes_of_index = std::int64_t{1} << 30;

/// Returns the line of the index, without a line break, for a file that holds `tables`: a JSON
/// object with path, format, table, shape and dtype (for an archive: tables instead of the last
/// three), encoding, preset, parameters, labels, command, bytes and sha256. bytes and sha256 are
/// left out if `digest` is null.
std::string index_entry(const Job& job, const Target& target, std::span<const Table> tables,
                        const Sha256* digest);

/// Writes the index, if it is out of date, from the entries in the reports; in the modes check and
/// describe only reports on the index. Adds the orphans to the report.
/// Precondition: the manifest has an index.
/// Throws: FormatError if the index would be longer than most_bytes_of_index.
JobReport update_index(const Batch& batch, const std::vector<JobReport>& reports,
                       const BatchFiles& files, MadeFolders& folders);

/// Returns the orphans: the files that exist and are listed in the index, but are not made by the
/// manifest. Returns no files if there is no index.
/// Throws: FormatError, naming the index, if the file is not a valid index.
std::vector<FileReport> orphans_of(const Batch& batch, const BatchFiles& files);

}  // namespace pegen::cli

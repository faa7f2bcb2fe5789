#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cli/batch_files.h"
#include "cli/batch_run.h"
#include "cli/request.h"
#include "core/table.h"

namespace pegen {
class Sha256;
}

namespace pegen::cli {

inline constexpr std::int64_t most_bytes_of_index = std::int64_t{1} << 30;

/// Returns the line of the index, without a line break, for a file that `tables` are in: an object
/// with path, format, table, shape and dtype (or tables, of an archive), encoding, preset,
/// parameters, labels, command, bytes and sha256. Without a digest the last two are left out.
std::string index_entry(const Job& job, const Target& target, std::span<const Table> tables,
                        const Sha256* digest);

/// Brings the index up to date with the entries of the reports, or looks at it, and names the
/// orphans. Precondition: the manifest has an index.
/// Throws: FormatError if the index would be longer than most_bytes_of_index.
JobReport update_index(const Batch& batch, const std::vector<JobReport>& reports,
                       const BatchFiles& files, MadeFolders& folders);

/// Returns the files that the index lists, that exist, and that the manifest does not make. None if
/// there is no index.
/// Throws: FormatError, naming the index, if it is none.
std::vector<FileReport> orphans_of(const Batch& batch, const BatchFiles& files);

}  // namespace pegen::cli

#pragma once

#include <cstdint>
#include <optional>
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

/// The place of a table among the arrays of several jobs: the name of the array and, if tables are
/// stacked in it, the index along its first axis.
struct ArrayPlace {
    std::string name;
    std::optional<std::int64_t> index{};
};

/// Returns the line of the index for a table in an archive of several jobs: path, format, array,
/// index, table, shape, dtype, encoding, preset, parameters, labels, and the command that prints
/// the table.
std::string index_entry_of_array(const Job& job, const Target& archive, const ArrayPlace& place,
                                 const Table& table);

/// Returns the line of the index for the archive itself, behind the lines of its tables: path,
/// format, arrays (their number), bytes and sha256, which are left out if `digest` is null.
std::string index_entry_of_archive(const Target& archive, std::span<const Table> arrays,
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

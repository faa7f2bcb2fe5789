#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/request.h"
#include "files/folders.h"
#include "files/output_file.h"
#include "files/sha256.h"
#include "formats/write.h"

namespace pegen::cli {

/// Tables, and the files that they are written to. The files are not in their final places yet.
struct OpenFiles {
    Placing placing{};
    std::vector<Table> tables{};
    std::vector<std::vector<Output>> outputs{};  ///< the files of each table
    std::vector<Output> archives{};              ///< the files that hold all tables
};

/// Opens the files of a table and announces their sizes. Throws: FileError.
void open_outputs(OpenFiles& files, const Table& table, std::span<const Target> targets);

/// Opens archives of all tables whose outputs are open, and announces their sizes. Throws:
/// FileError.
void open_archives(OpenFiles& files, std::span<const Target> archives);

/// Returns the files of all tables, then the archives.
std::vector<OutputFile*> files_of(OpenFiles& files);

/// Appends each note of `more` that `notes` does not contain.
void append(std::vector<std::string>& notes, std::vector<std::string> more);

/// A table and the files to write it to.
struct TableOfTargets {
    Table table;
    std::vector<Target> targets;
};

/// Whether files are hashed while they are written. For the hash, NPZ files are read again, since
/// their checksums are filled in at the end.
enum class Hashing { none, sha256 };

/// Files that are completely written, but are not in their final places yet.
struct StagedFiles {
    OpenFiles files;
    std::vector<std::string> notes;  ///< notes for the user from write_table()
    std::vector<Sha256> digests;     ///< hashes of each table's targets, then of the archives
};

/// Writes each table to its targets, and all tables to each of `archives`.
/// Throws: FileError; UsageError if a format cannot hold a table.
StagedFiles staged(std::span<const TableOfTargets> tables, std::span<const Target> archives,
                   Hashing hashing = Hashing::none, const Placing& placing = {});

/// True if one of the files must be flushed to the disk before it takes its final place.
bool is_waited_for(StagedFiles& staged);

/// Waits until the files that must be flushed are on the disk. Throws: FileError.
void finish(StagedFiles& staged);

/// Moves all files to their final places, or none. Adds the folders that must be flushed to
/// `folders`.
/// Throws: FileError.
void place(StagedFiles& staged, ChangedFolders& folders);

}  // namespace pegen::cli

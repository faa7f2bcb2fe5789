#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/request.h"
#include "files/changed_folders.h"
#include "files/output_file.h"
#include "files/sha256.h"
#include "formats/write.h"

namespace pegen::cli {

/// Tables on their way into files that have not taken their places yet.
struct OpenFiles {
    Placing placing{};
    std::vector<Table> tables{};
    std::vector<std::vector<Output>> outputs{};  ///< of each table
    std::vector<Output> archives{};              ///< of all tables
};

/// Opens the files of a table and announces their sizes. Throws: FileError.
void open_outputs(OpenFiles& files, const Table& table, std::span<const Target> targets);

/// The same for archives of all tables that have been opened.
void open_archives(OpenFiles& files, std::span<const Target> archives);

/// The files of all tables, then the archives.
std::vector<OutputFile*> files_of(OpenFiles& files);

/// Appends those of `more` that are not among `notes`.
void append(std::vector<std::string>& notes, std::vector<std::string> more);

/// A table and the files it is to be written to.
struct TableOfTargets {
    Table table;
    std::vector<Target> targets;
};

/// Whether files are hashed while they are written. The bytes of an NPZ file, whose checksums are
/// filled in at the end, are read again for that.
enum class Hashing { none, sha256 };

/// Files that are written, but have not taken their places yet.
struct StagedFiles {
    OpenFiles files;
    std::vector<std::string> notes;  ///< what the user should know of them, as write_table() says
    std::vector<Sha256> digests;     ///< of the targets of each table, then of the archives
};

/// Writes each table to its targets, and all to each of `archives`.
/// Throws: FileError; UsageError if a format cannot hold a table.
StagedFiles staged(std::span<const TableOfTargets> tables, std::span<const Target> archives,
                   Hashing hashing = Hashing::none, const Placing& placing = {});

/// True if one of the files has to be on the disk before it takes its place.
bool is_waited_for(StagedFiles& staged);

/// Waits until those files are on the disk. Throws: FileError.
void finish(StagedFiles& staged);

/// Puts all files in their places, or none, and adds the folders that are to be flushed.
/// Throws: FileError.
void place(StagedFiles& staged, ChangedFolders& folders);

}  // namespace pegen::cli

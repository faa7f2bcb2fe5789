#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/progress.h"
#include "core/table.h"
#include "files/output_file.h"
#include "formats/format.h"

namespace pegen {

/// The division of a table into tiles: runs of whole rows, each filled and written at a time. It
/// depends on the shape and dtype alone, not on the number of threads, so that files do not depend
/// on the number of threads either.
struct Tiles {
    std::int64_t rows;           ///< number of rows of the table
    std::int64_t rows_per_tile;  ///< at least 1; the last tile may have fewer

    std::int64_t count() const { return rows / rows_per_tile + (rows % rows_per_tile != 0); }
    RowRange operator[](std::int64_t tile) const;
};

/// Returns tiles of about tile_bytes of elements, each of at least one row.
Tiles tiles_of(const Table& table);

/// The size of a tile. Measured on cores with 1 MiB of L2 cache each: sizes from 256 KiB to 1 MiB
/// are equally fast. With smaller tiles, threads wait for their turn to write; larger ones drop out
/// of the cache before they are written. The text of a tile is a few times as large.
inline constexpr std::int64_t tile_bytes = std::int64_t{1} << 19;

class Sha256;

/// One file to be written: its format, the format's parameters, and the file.
struct Output {
    const Format* format;
    Parameters parameters;
    OutputFile file;
    /// The digest of the bytes that are written, except for bytes that are written twice; nullptr
    /// if not needed.
    Sha256* digest = nullptr;
};

/// Returns the bytes before the rows, or the whole file, and notes on it for the user.
/// Throws: UsageError if the format cannot hold the table.
Drawing beginning(const Table& table, const Format& format, const Parameters& parameters);

/// Returns the bytes after the rows.
std::string ending(const Table& table, const Format& format, const Parameters& parameters);

/// Returns a function that returns the file in parts, in order: each call the next bytes, and ""
/// after the last part. A part has the beginning, some tiles of rows or the ending, so that memory
/// does not grow with the number of rows, except for formats whose beginning is the whole file.
/// Throws: UsageError if the format cannot hold the table.
std::function<std::string()> file_parts(Table table, const Format& format, Parameters parameters);

/// Reserves memory for a file of this size, so that a file that is too large is refused before it
/// is computed. Throws: std::bad_alloc.
void make_room(std::string& file, std::int64_t bytes);

/// Returns the whole file. Throws: UsageError if the format cannot hold the table; std::bad_alloc.
std::string whole_file(const Table& table, const Format& format, const Parameters& parameters);

/// Returns the size of the file in bytes, if it is known without writing it.
std::optional<std::int64_t> file_size(const Table& table, const Format& format,
                                      const Parameters& parameters);

/// Announces to each file its size, where it is known, so that a full disk or a size limit is found
/// before a value is computed. `table` needs no rows. Throws: FileError.
void reserve(const Table& table, std::span<Output> outputs);

/// Writes the table to every output. Each tile of rows is filled once, in cache, whatever the
/// number of outputs; memory is threads x tile. The bytes do not depend on the number of threads.
/// `progress` is first told of the rows that figures and text ask for, whose total is not known,
/// then of the rows that are written. commit() must still put the files in their places.
/// Returns notes on the files for the user, such as a text that a figure has no room for, each line
/// once.
/// Throws: FileError.
std::vector<std::string> write_table(const Table& table, std::span<Output> outputs,
                                     const Progress& progress = ignore_progress);

/// Announces the size of an archive of `tables` in the same way. Throws: FileError; UsageError if
/// the format cannot hold the tables.
void reserve(std::span<const Table> tables, Output& archive);

/// Writes all rows of the table, as the bytes of the elements in memory, in order.
void write_rows(const Table& table, const WriteBytes& write,
                const Progress& progress = ignore_progress);

/// The tiles first ... first + count - 1 of tiles_of(table).
struct TileRange {
    std::int64_t first;
    std::int64_t count;
};

/// Calls `take` with the rows of these tiles and their elements, one tile after another.
void take_tiles(const Table& table, TileRange tiles,
                const std::function<void(RowRange rows, Bytes elements)>& take,
                const Progress& progress = ignore_progress);

/// A function that returns the Progress for the rows of a table, before the first row is filled.
using ProgressOf = std::function<Progress(const Table&)>;

/// Writes an archive of `tables`, like write_table().
/// Throws: FileError.
void write_archive(
    std::span<const Table> tables, Output& archive,
    const ProgressOf& progress = [](const Table&) { return ignore_progress; });

/// Waits until every byte of every file is on disk.
/// Throws: FileError.
void finish(std::span<Output> outputs);

/// Puts all files in their places, or none of them.
/// Throws: FileError.
void commit(std::span<Output> outputs);

}  // namespace pegen

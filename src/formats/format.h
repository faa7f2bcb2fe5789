#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "core/table.h"
#include "files/byte_sink.h"

namespace pegen {

/// A function that writes all rows of a table, as the bytes of the elements in memory.
using WriteRows = std::function<void(const Table&, const WriteBytes&)>;

/// A way to write several tables, whose names differ, to one file.
struct ArchiveFormat {
    bool is_rewritten;  ///< parts of it are written twice, so it cannot be a pipe
    /// Returns the size of the file in bytes, at most 2^63 - 1; nothing if it depends on the
    /// values. Throws: UsageError if the format cannot hold these tables.
    std::optional<std::int64_t> (*size)(std::span<const Table>, const Parameters&);
    /// Writes the file; calls `write_rows` once for each table. Throws what `write_rows` and the
    /// sink throw.
    void (*write)(std::span<const Table>, const Parameters&, const ByteSink&,
                  const WriteRows& write_rows);
};

/// A whole file, and notes on it for the user, a line each.
struct Drawing {
    std::string file;
    std::vector<std::string> notes;
};

/// A file format, as data: a file is head, then the rows in order, then tail; or a drawing; or an
/// archive.
///
/// All functions are pure. write_table() fills the rows of a table once, in tiles, and hands each
/// tile to every format that is being written; append_rows runs on many threads.
struct Format {
    std::string_view name;                           ///< "npy": also its option, --npy
    std::string_view summary;                        ///< lower case, no final period
    std::string_view extensions;                     ///< "npy": separated by spaces
    bool is_binary;                                  ///< must not be written to a terminal
    bool is_shown = false;                           ///< shown on standard output; takes no path
    std::span<const ParameterSpec> (*parameters)();  ///< the options of the format
    std::string_view idle_parameters = "";           ///< parameters that have no effect here
    std::string_view options_title;  ///< the heading of the options in the help: "Figure options"
    /// Writes a file of several tables; a format with it has none of the functions below. nullptr
    /// if a file holds one table.
    const ArchiveFormat* archive = nullptr;
    /// Draws a figure of the table; a format with it has none of head, append_rows and tail.
    /// nullptr if the format draws nothing. Throws: UsageError if the table cannot be drawn.
    Drawing (*draw)(const Table&, const Parameters&) = nullptr;

    /// True if the texts of a figure are drawn by its viewer, with the fonts that it has.
    bool has_viewers_fonts = false;

    /// Returns the bytes before the rows, or the whole file if the format does not take rows.
    /// Throws: UsageError if the format cannot hold this table.
    std::string (*head)(const Table&, const Parameters&) = nullptr;
    /// Appends the text of the rows of `range`, whose elements are `rows`. The text depends on
    /// nothing else, so that rows may be formatted in any order. nullptr if the format takes no
    /// rows; raw_rows if it takes their bytes.
    void (*append_rows)(const Table&, const Parameters&, RowRange range,
                        std::span<const std::byte> rows, std::string& out) = nullptr;
    /// Returns the bytes after the rows.
    std::string (*tail)(const Table&, const Parameters&) = nullptr;
    /// True if two files of a format that does not take rows mean the same to their readers
    /// although their bytes differ. nullptr if files with different bytes never mean the same. The
    /// second file is not trusted.
    bool (*says_the_same)(std::string_view file, std::string_view other) = nullptr;
};

/// True if a file of the format holds rows as in memory: between head and tail, in order.
bool is_raw(const Format& format);

/// True if files of the format are figures: their options are figure_parameters().
bool is_figure(const Format& format);

/// Returns the parameters of a format that has none.
std::span<const ParameterSpec> no_parameters();

/// The append_rows of a format whose rows are the bytes of the elements in memory. write_table()
/// recognises it and writes such rows without copying them.
void raw_rows(const Table&, const Parameters&, RowRange range, std::span<const std::byte> rows,
              std::string& out);

}  // namespace pegen

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/parameters.h"
#include "core/table.h"

namespace pegen {

/// A file format, as data: a file is head, then the rows in order, then tail.
///
/// All three are pure. write_table() fills the rows of a table once, in tiles, and hands each tile
/// to every format that is being written; append_rows runs on many threads.
struct Format {
    std::string_view name;                           ///< "npy": also its option, --npy
    std::string_view summary;                        ///< lower case, no final period
    std::string_view extensions;                     ///< "npy": separated by spaces
    bool is_binary;                                  ///< not to be written to a terminal
    bool is_shown = false;                           ///< shown on standard output; takes no path
    std::span<const ParameterSpec> (*parameters)();  ///< its own options
    std::string_view idle_parameters = "";           ///< those that have no effect here
    std::string_view options_title;  ///< their heading in the help: "Figure options"

    /// Returns the bytes before the rows, or the whole file if the format does not take rows.
    /// Throws: UsageError if the format cannot hold this table.
    std::string (*head)(const Table&, const Parameters&);
    /// Appends the text of the rows of `range`, whose elements are `rows`. Depends on nothing else,
    /// so that rows may be formatted in any order. nullptr if the format takes no rows; raw_rows if
    /// it takes their bytes.
    void (*append_rows)(const Table&, const Parameters&, RowRange range,
                        std::span<const std::byte> rows, std::string& out);
    /// Returns the bytes after the rows.
    std::string (*tail)(const Table&, const Parameters&);
    /// True if two files of a format that does not take rows mean the same to their readers
    /// although their bytes differ. nullptr if they never do. The second file is not trusted.
    bool (*says_the_same)(std::string_view file, std::string_view other) = nullptr;
};

/// Returns the parameters of a format that has none.
std::span<const ParameterSpec> no_parameters();

/// The append_rows of a format whose rows are the bytes of the elements in memory. write_table()
/// recognises it and writes such rows without copying them.
void raw_rows(const Table&, const Parameters&, RowRange range, std::span<const std::byte> rows,
              std::string& out);

}  // namespace pegen

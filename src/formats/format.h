#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/parameters.h"
#include "core/table.h"

namespace pegen {

/// A way to write a table, as data: a file is head, then the rows in order, then tail.
///
/// All three are pure. The rows of a table are filled once, in tiles, by write_table(), which hands
/// each tile to every format that is being written; append_rows runs on many threads.
struct Format {
    std::string_view name;                           ///< "npy": also its option, --npy
    std::string_view summary;                        ///< lower case, no final period
    std::string_view extensions;                     ///< "npy": separated by spaces
    bool is_binary;                                  ///< not to be written to a terminal
    bool is_shown = false;                           ///< on standard output; takes no path
    std::span<const ParameterSpec> (*parameters)();  ///< its own options
    std::string_view idle_parameters = "";           ///< those of them without effect here
    std::string_view options_title;                  ///< heads them in the help: "Figure options"

    /// The bytes before the rows; of a format that does not take rows, the whole file.
    /// Throws: UsageError if the format cannot hold this table.
    std::string (*head)(const Table&, const Parameters&);
    /// Appends the text of the rows of `range`, whose elements are `rows`. Depends on nothing else,
    /// so that rows may be formatted in any order. nullptr: takes no rows; raw_rows: their bytes.
    void (*append_rows)(const Table&, const Parameters&, RowRange range,
                        std::span<const std::byte> rows, std::string& out);
    /// The bytes after the rows.
    std::string (*tail)(const Table&, const Parameters&);
    /// Whether two files of a format that does not take rows say the same to their readers, though
    /// their bytes differ. nullptr: they never do. The second is not trusted.
    bool (*says_the_same)(std::string_view file, std::string_view other) = nullptr;
};

/// The parameters of a format that has none.
std::span<const ParameterSpec> no_parameters();

/// The append_rows of a format whose rows are the bytes of the elements as they are in memory.
/// write_table() knows it and writes such rows without copying them.
void raw_rows(const Table&, const Parameters&, RowRange range, std::span<const std::byte> rows,
              std::string& out);

}  // namespace pegen

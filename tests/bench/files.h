#pragma once

#include <span>
#include <string_view>

#include "core/table.h"
#include "formats/write.h"
#include "side_by_side.h"

namespace pegen::bench {

/// Returns the seconds it takes to write the table, without waiting for the disk. A regular file
/// never gets a name, so no file remains.
inline double seconds_to_write(const Table& table, const Format& format, std::string_view path) {
    Output output{&format, Parameters(format.parameters()), OutputFile(path)};
    return seconds([&] { write_table(table, std::span(&output, 1)); });
}

}  // namespace pegen::bench

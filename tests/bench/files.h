#pragma once

#include <span>
#include <string_view>

#include "core/table.h"
#include "formats/write.h"
#include "side_by_side.h"

namespace pegen::bench {

/// Returns the seconds it takes to write the table, without waiting for the disk. A regular file is
/// never given a name, so nothing is left of it.
inline double seconds_to_write(const Table& table, const Format& format, std::string_view path) {
    Output output{&format, Parameters(format.parameters()), OutputFile(path)};
    return seconds([&] { write_table(table, std::span(&output, 1)); });
}

}  // namespace pegen::bench

#pragma once

#include <span>

#include "pegen/core/table.h"
#include "pegen/formats/format.h"
#include "pegen/formats/output_file.h"

namespace pegen {

/// One file to be written: which format, with which of its parameters, where to.
struct Output {
    const Format* format;
    Parameters parameters;
    OutputFile file;
};

/// Writes the table to every output. Each tile of rows is filled once, in cache, whatever the
/// number of outputs; memory is threads x tile. The bytes do not depend on the number of threads.
/// Does not finish() or commit() the files.
void write_table(const Table& table, std::span<Output> outputs);

}  // namespace pegen

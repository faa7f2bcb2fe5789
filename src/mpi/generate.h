#pragma once

#include "cli/request.h"

namespace pegen::mpi {

/// Makes the tables of a request on all ranks: each writes its share of the rows to its place in
/// every file, and the first one puts the files in their places after all are written, and on the
/// disk if they are waited for. The files have the bytes that one process writes.
/// Throws: Stopped, on every rank; then no file has been changed.
void generate(const cli::Request& request);

}  // namespace pegen::mpi

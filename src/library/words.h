#pragma once

#include "cli/request.h"
#include "pegen/table.h"

namespace pegen {

/// Reads the words as the arguments of pe-gen, with `options` inserted after the name of the
/// encoding or preset.
/// Throws: UsageError, also for words that ask for something other than a table; InternalError if
/// the arithmetic of this machine is wrong.
cli::Request request_of(const Words& words, const Words& options);

}  // namespace pegen

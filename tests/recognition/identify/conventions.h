#pragma once

#include <vector>

#include "recognition/identify/trial.h"

namespace pegen::trials {

enum class TableSize { own, small, medium };

/// Returns the commands of all presets, and of every table of all encodings with its defaults.
/// Tables that cannot be of this size, or that need a file, are left out.
std::vector<Command> all_conventions(TableSize size);

/// Returns the parameters with another size; those that do not allow it keep theirs.
Parameters resized(const Command& command, TableSize size);

}  // namespace pegen::trials

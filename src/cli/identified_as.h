#pragma once

#include <string>
#include <string_view>

#include "core/progress.h"
#include "core/table.h"

namespace pegen::cli {

/// Returns a sentence with the command that makes the table of a file, and the presets that make
/// it: "mine.npy is made by pe-gen sinusoid --d 64, also called vaswani.". If a command makes
/// nearly the same table, the sentence says where the file differs. Returns "" if no command was
/// found, or if the file has more than 2^22 values.
std::string identified_as(std::string_view file, const Table& table,
                          const Progress& progress = ignore_progress);

}  // namespace pegen::cli

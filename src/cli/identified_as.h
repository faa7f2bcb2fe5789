#pragma once

#include <string>
#include <string_view>

#include "core/progress.h"
#include "core/table.h"

namespace pegen::cli {

/// Says which command makes the table of a file, and how presets make it, as a sentence: "mine.npy
/// is made by pe-gen sinusoid --d 64, also called vaswani."; or which one makes nearly that table,
/// and where the file departs from it. "" if neither was found, or if the file has more than 2^22
/// values.
std::string identified_as(std::string_view file, const Table& table,
                          const Progress& progress = ignore_progress);

}  // namespace pegen::cli

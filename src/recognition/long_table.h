#pragma once

#include <optional>

#include "core/progress.h"
#include "core/table.h"
#include "recognition/identify.h"

namespace pegen::recognition {

/// Returns the candidate for a long table (positions, channels) whose convention a few rows show,
/// and whose rows are rows of that convention's table, at positions that are found one after the
/// other: a progression, or a list. None if the array is no such table, or not long. Each row is
/// read once, so that this is quicker than a search for conventions in all rows.
std::optional<Candidate> long_table(const Table& array, const Progress& progress);

}  // namespace pegen::recognition

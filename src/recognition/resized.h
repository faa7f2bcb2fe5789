#pragma once

#include <optional>
#include <string>

#include "core/progress.h"
#include "core/table.h"
#include "recognition/evidence/sample.h"
#include "recognition/identify.h"

namespace pegen::recognition {

/// A table that was brought to another size: a table of an encoding, and what was done to it.
struct ResizedTable {
    Table original;       ///< in the dtype of the array
    Agreement agreement;  ///< of the resized table and the array
    std::string how;      ///< as Identification::resized
};

/// Finds a table of an encoding or a preset that is the array once a code base has resized it, see
/// rows/resized.h: of a square image for an array (rows, d) of prefix rows and points, or for one
/// of (height, width, d), or of a usual length. Reads a few rows of arrays that are no such table.
/// Throws: what the array's rows and `progress` throw.
std::optional<ResizedTable> find_resized(const Sample& array, const Progress& progress);

}  // namespace pegen::recognition

#pragma once

#include <cstdint>
#include <vector>

#include "core/progress.h"
#include "core/table.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/identify.h"

namespace pegen::recognition {

/// How much of an array agreement_of() looks at.
enum class Scope {
    leading,  ///< the values in memory
    whole,
};

/// Compares a generated table with an array, value by value. A value agrees
///   * within rounding: |a - b| is at most one unit in the last place of the array's format; of
///     float64, and 2^-50 of the angle, as code in float64 is off by that;
///   * as float32 code makes it: within two units and 2^-20 of the angle, times the amplitude.
/// The level is the best at which all values agree. Rows and channels that the proposal leaves out
/// are left out of the table.
/// Shapes that differ, but for extents of 1, agree at no level, and have no values. Of a table that
/// does not agree, only as much is compared as it takes to know that.
Agreement agreement_of(const Table& made, const evidence::Sample& array,
                       const evidence::Proposal& proposal, Scope scope,
                       const Progress& progress = ignore_progress);

/// True if the row of the array in which `place` is, an index for each axis, agrees with that of
/// the generated table, as agreement_of() has it. Precondition: agreement_of() has compared the
/// two.
bool agrees_at(const std::vector<std::int64_t>& place, const Table& made,
               const evidence::Sample& array, const evidence::Proposal& proposal);

/// Returns the table with only the rows and channels that the proposal has.
Table selected(Table made, const evidence::Proposal& proposal);

}  // namespace pegen::recognition

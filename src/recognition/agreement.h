#pragma once

#include <cstdint>
#include <vector>

#include "core/progress.h"
#include "core/table.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/identify.h"

namespace pegen::recognition {

/// The part of an array that agreement_of() compares.
enum class Scope {
    leading,  ///< the values in memory
    whole,
};

/// Compares a generated table with an array, value by value. A value agrees
///   * within rounding: |a - b| is at most one unit in the last place of the array's format. In
///     float64 the tolerance also has 2^-50 of the angle, times the amplitude, because code in
///     float64 is off by that;
///   * as float32 code makes it: |a - b| is at most two units and 2^-20 of the angle, times the
///     amplitude.
/// In a table of powers, both are parts of the value instead of the angle.
/// The level of the result is the best level at which all values agree. Only the rows and channels
/// of the table that the proposal has are compared.
/// If the shapes differ in more than extents of 1, the level is `none` and no values are counted.
/// The comparison stops as soon as it is known that the table does not agree.
Agreement agreement_of(const Table& made, const Sample& array, const Proposal& proposal,
                       Scope scope, const Progress& progress = ignore_progress);

/// True if the row of the array that contains `place`, an index for each axis, agrees with the row
/// of the generated table, at least as float32 code makes it: see agreement_of(). Precondition:
/// agreement_of() has compared the array and the table.
bool agrees_at(const std::vector<std::int64_t>& place, const Table& made, const Sample& array,
               const Proposal& proposal);

/// Returns the table with only the rows and channels that the proposal has.
Table selected(Table made, const Proposal& proposal);

}  // namespace pegen::recognition

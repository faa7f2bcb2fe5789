#pragma once

#include <cstdint>
#include <vector>

#include "core/table.h"
#include "recognition/evidence/precision.h"

namespace pegen::evidence {

/// An array whose encoding is looked for, as the encodings see it: without axes of extent 1, and
/// perhaps with its axes in another order than in the file.
struct Sample {
    Table table;                        ///< the whole array, to read other rows of
    std::vector<std::int64_t> extents;  ///< of the whole array; one at least
    Precision precision;                ///< the narrowest format that holds its values
    /// What values may be off beyond the rounding to that format: 0 at first. If nothing is found,
    /// the encodings are asked again with 1e-4 and more, for the nearest convention.
    double noise = 0;
    /// The leading indices of the first axis whose values are in memory: all of a small array. They
    /// hold 2^22 values at most, or the first 2 of them if these are more.
    std::int64_t leading = 0;
    std::vector<double> values;  ///< (leading, extents[1], ...), the last axis fastest

    int rank() const { return static_cast<int>(extents.size()); }
    /// True if all values of the array are in memory.
    bool has_all_values() const { return std::ssize(values) == table.shape.size(); }
    /// Returns how far the value may be from the exact one: half a unit in the last place, and the
    /// noise.
    double error_of(double value) const { return unit_of(value, precision) / 2 + noise; }
};

/// Returns the values of one index of the last axis in an array of two axes: a column.
std::vector<double> column_of(const Sample& sample, std::int64_t column);

}  // namespace pegen::evidence

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/table.h"
#include "recognition/evidence/precision.h"

namespace pegen::evidence {

/// An array as the recognizers see it: without axes of extent 1, and perhaps with its axes in
/// another order than in the file.
struct Sample {
    Table table;                        ///< the whole array, from which other rows can be read
    std::vector<std::int64_t> extents;  ///< extents of the whole array, at least one
    Precision precision;                ///< the narrowest format that holds its values
    /// The error that values may have beyond the rounding to that format: 0 at first. If nothing is
    /// found, the encodings are asked again with 1e-4 and more, for the nearest convention.
    double noise = 0;
    /// The number of leading indices of the first axis whose values are in memory: all indices of a
    /// small array. At most 2^22 values are in memory, unless the first 2 indices alone have more.
    std::int64_t leading = 0;
    std::vector<double> values;  ///< (leading, extents[1], ...), the last axis fastest

    int rank() const { return static_cast<int>(extents.size()); }
    /// True if all values of the array are in memory.
    bool has_all_values() const { return std::ssize(values) == table.shape.size(); }
    /// Returns how far `value` may be from the exact value: half a unit in the last place, and the
    /// noise.
    double error_of(double value) const { return unit_of(value, precision) / 2 + noise; }
};

/// Returns the sample with about `most` of its values in memory, the leading ones, or with the
/// values of two indices.
inline Sample shortened(const Sample& sample, std::int64_t most) {
    const std::int64_t per_index = std::ssize(sample.values) / sample.leading;
    const std::int64_t some = std::max<std::int64_t>(2, rows_holding(most, per_index));
    const std::int64_t leading = std::min(sample.leading, some);
    const auto begin = sample.values.begin();
    return {sample.table, sample.extents, sample.precision,
            sample.noise, leading,        {begin, begin + leading * per_index}};
}

}  // namespace pegen::evidence

namespace pegen::recognition {

using evidence::Sample;

}  // namespace pegen::recognition

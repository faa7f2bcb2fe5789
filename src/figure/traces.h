#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/table.h"

namespace pegen {

/// A channel as a curve over the rows: points for a line to run through, from left to right. NaN is
/// a gap in the line.
struct Trace {
    std::int64_t channel;
    std::vector<double> rows;  ///< counted from 0
    std::vector<double> values;
};

/// Returns the values of channels of a table of two axes over its rows, as many as can be seen in a
/// picture `columns` >= 1 pixels wide. Up to 4 * columns rows, all values are returned. Of more
/// rows, the first, the smallest, the largest and the last value of each of `columns` equal buckets
/// of rows are returned: a line through these values covers the same pixels. Values that are not
/// finite become NaN. Of its NaNs, a bucket keeps the first, treating the finite values before and
/// after it like two buckets, and the NaN of its last row: so every bucket with a gap shows one,
/// and a gap is at most a pixel longer or shorter than it should be. Reads the table once, in
/// blocks; the result does not depend on the number of threads. Throws: UsageError if there is no
/// such channel.
std::vector<Trace> traces(const Table& table, std::span<const std::int64_t> channels, int columns);

/// Checks channel numbers. Throws: UsageError if a channel is not one of 0 ... columns - 1.
void check_channels(std::span<const std::int64_t> channels, std::int64_t columns);

/// Returns the channels that are shown by default: up to `most` of `columns`,
/// floor(k * columns / most).
std::vector<std::int64_t> default_channels(std::int64_t columns, std::int64_t most = 4);

}  // namespace pegen

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/table.h"

namespace pegen {

/// A channel as a curve over the rows: places for a line to run through, from left to right. Where
/// a value is NaN, the line is broken.
struct Trace {
    std::int64_t channel;
    std::vector<double> positions;  ///< rows, counted from 0
    std::vector<double> values;
};

/// The values of channels of a table of two axes over its rows, as many as are seen in a picture
/// `columns` >= 1 pixels wide. Up to 4 * columns rows: all of them. Of more, each of `columns`
/// equal buckets of rows has the first, the smallest, the largest and the last of its values: a
/// line through them covers the same pixels.
/// What is not finite is NaN. In a bucket, the first of these is kept, with the finite values on
/// either side of it as if they were buckets of their own, and that of its last row: every bucket
/// that has a gap shows one, and no gap is more than a pixel longer or shorter than it is.
/// Reads the table once, in blocks; does not depend on the number of threads.
/// Throws: UsageError if there is no such channel.
std::vector<Trace> traces(const Table& table, std::span<const std::int64_t> channels, int columns);

/// Channels to show where none are asked for: up to four of `columns`, floor(k * columns / 4).
std::vector<std::int64_t> default_channels(std::int64_t columns);

}  // namespace pegen

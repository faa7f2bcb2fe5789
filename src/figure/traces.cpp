#include "figure/traces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/parallel.h"

namespace pegen {
namespace {

/// Number of values read at a time; they fit in the L2 cache.
constexpr std::int64_t block_values = 1 << 15;

/// The least number of values for which another thread pays off.
constexpr std::int64_t part_values = 1 << 20;

struct Sample {
    std::int64_t row = -1;  ///< -1 if there is none yet
    double value = 0;
};

/// The first, smallest, largest and last of the finite values of consecutive rows.
struct Extremes {
    Sample first, smallest, largest, last;

    void add(Sample point) {
        if (first.row < 0) first = smallest = largest = point;
        if (point.value < smallest.value) smallest = point;
        if (point.value > largest.value) largest = point;
        last = point;
    }
};

/// The values of a channel in one bucket.
struct Bucket {
    Extremes before, after;  ///< of the values before and after the first gap
    std::int64_t first_gap = -1;
    std::int64_t last_gap = -1;

    void add(Sample point) {
        if (std::isfinite(point.value)) {
            (first_gap < 0 ? before : after).add(point);
            return;
        }
        if (first_gap < 0) first_gap = point.row;
        last_gap = point.row;
    }
};

/// Rows divided into `count` equal buckets, at most one for each row.
struct Buckets {
    std::int64_t rows;
    std::int64_t count;

    /// Returns floor(bucket rows / count) without a product that could overflow.
    std::int64_t begin(std::int64_t bucket) const {
        return bucket * (rows / count) + bucket * (rows % count) / count;
    }
};

Buckets buckets_for(std::int64_t rows, std::int64_t columns) {
    constexpr std::int64_t points_of_a_bucket = 4;
    return {rows, rows <= points_of_a_bucket * columns ? rows : columns};
}

void append(Trace& trace, std::int64_t row, double value) {
    trace.rows.push_back(static_cast<double>(row));
    trace.values.push_back(value);
}

void append(Trace& trace, const Extremes& extremes) {
    if (extremes.first.row < 0) return;
    Sample points[] = {extremes.first, extremes.smallest, extremes.largest, extremes.last};
    std::ranges::sort(points, {}, &Sample::row);
    std::int64_t done = -1;
    for (const Sample& point : points) {
        if (point.row != done) append(trace, point.row, point.value);
        done = point.row;
    }
}

void append(Trace& trace, const Bucket& bucket, std::int64_t last_row) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    append(trace, bucket.before);
    if (bucket.first_gap < 0) return;
    append(trace, bucket.first_gap, nan);
    append(trace, bucket.after);
    if (bucket.after.last.row >= 0 && bucket.last_gap == last_row) append(trace, last_row, nan);
}

std::vector<Trace> empty_traces(std::span<const std::int64_t> channels) {
    std::vector<Trace> traces;
    for (const std::int64_t channel : channels) traces.push_back({channel, {}, {}});
    return traces;
}

/// Returns the parts of the traces that lie in buckets first ... end - 1.
std::vector<Trace> trace(const Table& table, std::span<const std::int64_t> channels,
                         const Buckets& buckets, std::int64_t first, std::int64_t end) {
    std::vector<Trace> traces = empty_traces(channels);
    std::vector<Bucket> open(channels.size());
    const std::int64_t columns = table.shape.columns();
    const std::int64_t block = rows_holding(block_values, columns);
    const std::int64_t stop = buckets.begin(end);
    for (std::int64_t begin = buckets.begin(first); begin < stop; begin += block) {
        const RowRange range{begin, std::min(block, stop - begin)};
        const std::vector<double> values = read_rows(table, range);
        const double* of_row = values.data();
        for (std::int64_t row = begin; row < begin + range.count; ++row, of_row += columns) {
            const bool is_last = row + 1 == buckets.begin(first + 1);
            for (std::size_t i = 0; i < channels.size(); ++i) {
                open[i].add({row, of_row[channels[i]]});
                if (is_last) append(traces[i], std::exchange(open[i], {}), row);
            }
            first += is_last;
        }
    }
    return traces;
}

void append(std::vector<Trace>& traces, const std::vector<Trace>& more) {
    for (std::size_t i = 0; i < traces.size(); ++i) {
        auto& [channel, rows, values] = traces[i];
        rows.insert(rows.end(), more[i].rows.begin(), more[i].rows.end());
        values.insert(values.end(), more[i].values.begin(), more[i].values.end());
    }
}

}  // namespace

std::vector<Trace> traces(const Table& table, std::span<const std::int64_t> channels, int columns) {
    check_channels(channels, table.shape.columns());
    const Buckets buckets = buckets_for(table.shape.rows(), columns);
    if (buckets.count == 0) return empty_traces(channels);
    const std::int64_t part =
        rows_holding(rows_holding(part_values, table.shape.columns()), buckets.begin(1));
    std::vector<Trace> all = empty_traces(channels);
    std::vector<std::vector<Trace>> parts(thread_count());
    parallel_in_order((buckets.count + part - 1) / part,
                      [&](std::int64_t item, int worker) {
                          const std::int64_t end = std::min(buckets.count, (item + 1) * part);
                          parts[worker] = trace(table, channels, buckets, item * part, end);
                      },
                      [&](std::int64_t, int worker) { append(all, parts[worker]); });
    return all;
}

void check_channels(std::span<const std::int64_t> channels, std::int64_t columns) {
    for (const std::int64_t channel : channels) {
        if (channel >= 0 && channel < columns) continue;
        throw UsageError(fmt::format("--channels {}: must be 0 to {}", channel, columns - 1));
    }
}

std::vector<std::int64_t> default_channels(std::int64_t columns, std::int64_t most) {
    std::vector<std::int64_t> channels;
    for (std::int64_t k = 0; k < most; ++k) {
        const std::int64_t channel = k * (columns / most) + k * (columns % most) / most;
        if (channels.empty() || channel > channels.back()) channels.push_back(channel);
    }
    return channels;
}

}  // namespace pegen

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

// A search for logarithmic scales of buckets, from the distances at which buckets begin and end.
namespace pegen::recognition {

/// A distance and its bucket, at the border to another bucket.
struct Bucketed {
    std::int64_t distance;
    std::int64_t bucket;
};

/// Returns the first and the last distance of each bucket. `buckets` are the buckets of distances
/// 0, 1, 2, ...
std::vector<Bucketed> borders_of(const std::vector<std::int64_t>& buckets);

/// Returns the number of leading buckets that hold one distance each, bucket n holding distance n.
std::int64_t exact_buckets(const std::vector<std::int64_t>& buckets);

struct Interval {
    std::int64_t lowest;
    std::int64_t highest;
};

/// A function for the bucket of a distance if the scale ends at `end`; it must never rise with
/// `end`.
using BucketForEnd = std::function<std::int64_t(std::int64_t distance, std::int64_t end)>;

/// Returns the ends of the scale, at least `lowest`, with which all distances have their buckets;
/// none if there is no such end.
std::optional<Interval> possible_ends(const std::vector<Bucketed>& borders, std::int64_t lowest,
                                      const BucketForEnd& bucket);

/// Returns `usual` if the interval contains it, or else the whole number of the interval that is
/// cheapest to name.
std::int64_t simplest(const Interval& interval, std::int64_t usual);

/// Returns the place of a distance on a logarithmic scale, which is 0 at `from` and `steps` at
/// `to`.
double step_of(std::int64_t distance, std::int64_t from, std::int64_t to, std::int64_t steps);

}  // namespace pegen::recognition

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

// Buckets on a logarithmic scale, from where they begin.
namespace pegen::recognition {

/// The bucket of a distance, where it differs from that of a neighbouring distance.
struct Bucketed {
    std::int64_t distance;
    std::int64_t bucket;
};

/// Returns the distances at which the buckets of 0, 1, 2 ... begin and end.
std::vector<Bucketed> borders_of(const std::vector<std::int64_t>& buckets);

/// Returns how many buckets, from the first on, are those of one distance each, their own.
std::int64_t exact_buckets(const std::vector<std::int64_t>& buckets);

struct Interval {
    std::int64_t lowest;
    std::int64_t highest;
};

/// Returns the bucket of a distance for a certain end of the scale; it never rises with the end.
using BucketForEnd = std::function<std::int64_t(std::int64_t distance, std::int64_t end)>;

/// Returns the ends of the scale, from `lowest` on, that give all distances their buckets; none if
/// there are none.
std::optional<Interval> possible_ends(const std::vector<Bucketed>& borders, std::int64_t lowest,
                                      const BucketForEnd& bucket);

/// Returns the whole number of the interval that is cheapest to name, or `usual` if that is in it.
std::int64_t simplest(const Interval& interval, std::int64_t usual);

/// Returns step k of a logarithmic scale as a real number: from 0 at `from` to `steps` at `to`.
double step_of(std::int64_t distance, std::int64_t from, std::int64_t to, std::int64_t steps);

}  // namespace pegen::recognition

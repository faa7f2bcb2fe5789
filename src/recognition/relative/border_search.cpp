#include "recognition/relative/border_search.h"

#include <algorithm>
#include <cmath>

#include "recognition/evidence/simple_number.h"

namespace pegen::recognition {
namespace {

constexpr std::int64_t largest_end = std::int64_t{1} << 40;

}  // namespace

std::vector<Bucketed> borders_of(const std::vector<std::int64_t>& buckets) {
    std::vector<Bucketed> borders;
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        const bool is_first = i == 0 || buckets[i] != buckets[i - 1];
        const bool is_last = i + 1 == buckets.size() || buckets[i] != buckets[i + 1];
        if (is_first || is_last) borders.push_back({static_cast<std::int64_t>(i), buckets[i]});
    }
    return borders;
}

std::int64_t exact_buckets(const std::vector<std::int64_t>& buckets) {
    std::int64_t count = 0;
    while (count < std::ssize(buckets) && buckets[count] == count) ++count;
    // The last single distance may be the first one of a longer bucket.
    if (count < std::ssize(buckets) && buckets[count] == count - 1) --count;
    return count;
}

std::optional<Interval> possible_ends(const std::vector<Bucketed>& borders, std::int64_t lowest,
                                      const BucketForEnd& bucket) {
    const auto none_above = [&](std::int64_t end) {
        return std::ranges::all_of(
            borders, [&](const Bucketed& b) { return bucket(b.distance, end) <= b.bucket; });
    };
    const auto none_below = [&](std::int64_t end) {
        return std::ranges::all_of(
            borders, [&](const Bucketed& b) { return bucket(b.distance, end) >= b.bucket; });
    };
    /// Returns the first end for which `holds` is true; it must be true for all ends beyond.
    const auto first_with = [&](const auto& holds) {
        std::int64_t low = lowest, high = largest_end;
        while (low < high) {
            const std::int64_t middle = low + (high - low) / 2;
            if (holds(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    };
    const Interval interval{first_with(none_above),
                            first_with([&](std::int64_t end) { return !none_below(end); }) - 1};
    if (interval.lowest > interval.highest || !none_above(interval.lowest)) return {};
    return interval;
}

std::int64_t simplest(const Interval& interval, std::int64_t usual) {
    if (interval.lowest <= usual && usual <= interval.highest) return usual;
    // In an interval without an upper limit, the array does not show the end of the scale.
    const double low = static_cast<double>(interval.lowest);
    const double high = std::min(static_cast<double>(interval.highest), 4 * low);
    for (const auto& number : evidence::simple_numbers({(low + high) / 2, (high - low) / 2}, 8)) {
        if (number.value == std::rint(number.value)) {
            return static_cast<std::int64_t>(number.value);
        }
    }
    return interval.lowest;
}

double step_of(std::int64_t distance, std::int64_t from, std::int64_t to, std::int64_t steps) {
    const auto start = static_cast<double>(from);
    return std::log(static_cast<double>(distance) / start) /
           std::log(static_cast<double>(to) / start) * static_cast<double>(steps);
}

}  // namespace pegen::recognition

#include "encodings/relative/t5_scales.h"

#include <algorithm>
#include <string>

#include "encodings/relative/border_search.h"
#include "evidence/simple_number.h"

namespace pegen::encodings {

std::int64_t T5Side::of(std::int64_t distance) const {
    if (distance < exact()) return distance;
    if (distance >= max_distance) return buckets - 1;
    // Whether a step stands at the distance itself is seen up to rounding.
    constexpr double slack = 1e-9;
    const double step = step_of(distance, exact(), max_distance, buckets - exact());
    return std::min(exact() + static_cast<std::int64_t>(step + slack), buckets - 1);
}

std::vector<T5Side> possible_sides(const std::vector<std::int64_t>& buckets,
                                   const std::vector<std::int64_t>& counts) {
    const std::vector<Bucketed> borders = borders_of(buckets);
    const std::int64_t last = *std::ranges::max_element(buckets);
    std::vector<T5Side> sides;
    for (const std::int64_t count : counts) {
        if (last >= count) continue;
        const auto interval =
            possible_ends(borders, count / 2 + 1, [=](std::int64_t distance, std::int64_t end) {
                return T5Side{count, end}.of(distance);
            });
        if (interval) sides.push_back({count, simplest(*interval, usual_t5_side.max_distance)});
    }
    return sides;
}

std::vector<std::int64_t> counts_up_to(std::int64_t exact) {
    constexpr std::int64_t most = 1024;
    std::vector<std::int64_t> counts;
    for (std::int64_t n = 2; n <= std::min(2 * exact + 1, most); ++n) counts.push_back(n);
    std::ranges::stable_sort(counts, {}, [](std::int64_t n) {
        const bool is_usual = n == usual_t5_side.buckets || n == usual_causal_t5_side.buckets;
        return is_usual ? 0 : evidence::bits_of_number(std::to_string(n));
    });
    return counts;
}

std::vector<T5Side> sides_with_gaps(const std::vector<std::int64_t>& runs) {
    const auto gives_runs = [&](const T5Side& side) {
        for (std::size_t d = 1; d < runs.size(); ++d) {
            const auto distance = static_cast<std::int64_t>(d);
            const bool is_same = side.of(distance) == side.of(distance - 1);
            if (is_same != (runs[d] == runs[d - 1])) return false;
        }
        return true;
    };
    std::vector<T5Side> sides;
    for (const std::int64_t count : {8, 16, 32, 64}) {
        const T5Side shortest{count, count / 2 + 1};
        Interval ends{0, -1};
        // Beyond, a step of the distance is less than a bucket.
        for (T5Side side = shortest; side.max_distance <= 3 * side.exact(); ++side.max_distance) {
            if (!gives_runs(side)) continue;
            if (ends.highest < 0) ends.lowest = side.max_distance;
            ends.highest = side.max_distance;
        }
        if (ends.highest >= 0) sides.push_back({count, simplest(ends, usual_t5_side.max_distance)});
    }
    return sides;
}

std::vector<evidence::Setting> settings_of(const T5Buckets& buckets) {
    std::vector<evidence::Setting> settings;
    if (buckets.in_all() != 32) {
        settings.push_back({"num-buckets", std::to_string(buckets.in_all())});
    }
    if (buckets.side.max_distance != usual_t5_side.max_distance) {
        settings.push_back({"max-distance", std::to_string(buckets.side.max_distance)});
    }
    if (buckets.is_causal) settings.push_back({"causal", "true"});
    return settings;
}

}  // namespace pegen::encodings

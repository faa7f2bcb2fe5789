#pragma once

#include <cstdint>
#include <vector>

#include "evidence/proposal.h"

// T5's buckets of distances, and which of them give the buckets, or runs of equal biases, of an
// array.
namespace pegen::encodings {

/// The buckets on one side of the query.
struct T5Side {
    std::int64_t buckets;
    std::int64_t max_distance;

    std::int64_t exact() const { return buckets / 2; }
    /// Returns the bucket of a distance, 0 or more.
    std::int64_t of(std::int64_t distance) const;
};

struct T5Buckets {
    T5Side side;
    bool is_causal;

    std::int64_t in_all() const { return is_causal ? side.buckets : 2 * side.buckets; }
    /// Returns the bucket of an offset, key - query.
    std::int64_t of(std::int64_t offset) const {
        if (offset <= 0) return side.of(-offset);
        return is_causal ? 0 : side.buckets + side.of(offset);
    }
};

inline constexpr T5Side usual_t5_side{16, 128};
inline constexpr T5Side usual_causal_t5_side{32, 128};

/// Returns the scales of so many buckets on a side that give the distances 0, 1, 2 ... these
/// buckets. `counts` has the numbers of buckets to try.
std::vector<T5Side> possible_sides(const std::vector<std::int64_t>& buckets,
                                   const std::vector<std::int64_t>& counts);

/// Returns the numbers of buckets on a side whose exact ones are among the first `exact` buckets,
/// powers of two first.
std::vector<std::int64_t> counts_up_to(std::int64_t exact);

/// Returns the usual numbers of buckets whose scale is so short that some of them have no distance,
/// with the end that gives distances these runs.
std::vector<T5Side> sides_with_gaps(const std::vector<std::int64_t>& runs);

/// Returns the parameters of `t5` that differ from their defaults.
std::vector<evidence::Setting> settings_of(const T5Buckets& buckets);

}  // namespace pegen::encodings

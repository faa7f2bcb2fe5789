#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cli/batch/run.h"

namespace pegen::cli {

/// One of `count` shares of the jobs of a manifest; `number` counts from 1.
struct Shard {
    std::int64_t number;
    std::int64_t count;
};

/// Reads a share from text: "2/8" is the second of eight. Throws: UsageError.
Shard shard_named(std::string_view text);

/// The largest manifest of which a share is found by the costs of all jobs. A share of a larger one
/// begins at once.
inline constexpr std::size_t most_jobs_estimated = 10'000;

/// Estimates how long each unit of jobs takes on one processor, in nanoseconds. Uses only the sizes
/// and the formats of its files, so that the result is the same on every machine.
std::vector<std::int64_t> costs_of(const Batch& batch, std::span<const Unit> units);

/// Returns the numbers of the jobs in a share of `count` jobs, in order: job i is in the share
/// whose number a hash of i gives. The shares have about the same number of jobs, of any setting of
/// a sweep.
std::vector<std::size_t> jobs_by_number(const Shard& shard, std::size_t count);

/// Returns which of the jobs, or units of jobs, with these costs are in a share, in order. The most
/// expensive remaining one always goes to the share with the lowest total cost so far. All shares
/// therefore take about the same time, and processes that do not communicate compute the same
/// shares.
std::vector<std::size_t> jobs_of(const Shard& shard, const std::vector<std::int64_t>& costs);

}  // namespace pegen::cli

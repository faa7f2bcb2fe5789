#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cli/batch_run.h"

namespace pegen::cli {

/// One of `count` shares of the jobs of a manifest, counted from 1.
struct Shard {
    std::int64_t number;
    std::int64_t count;
};

/// Reads "2/8", the second of eight. Throws: UsageError.
Shard shard_named(std::string_view text);

/// Estimates how long each job of the manifest takes, in nanoseconds of a processor: from the sizes
/// and the formats of its files alone, so that the answer is the same on every machine.
std::vector<std::int64_t> costs_of_jobs(const Batch& batch);

/// Returns the numbers of the jobs in a share, in order. Of the jobs with these costs, the most
/// expensive one that is left goes to the share that has least to do, so that the shares take about
/// the same time, and processes that do not know of each other find the same ones.
std::vector<std::size_t> jobs_of(const Shard& shard, const std::vector<std::int64_t>& costs);

}  // namespace pegen::cli

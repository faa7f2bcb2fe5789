#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "cli/batch_job.h"

namespace pegen::cli {

/// Puts the files of jobs in their places. Jobs that must be on the disk before are put off, until
/// there is a group of them: the disk writes all of them in the time of a few. Any number of
/// threads may add jobs.
class CommitGroups {
  public:
    CommitGroups();

    /// Puts the files of the job in their places, now or with a later job of its group.
    void add(std::unique_ptr<BatchJob> job);

    /// Puts all files in their places that are put off. Must be called after the last job.
    void commit();

  private:
    std::mutex mutex_;  ///< guards the members below
    std::vector<std::unique_ptr<BatchJob>> group_;
    std::int64_t files_ = 0;
    std::int64_t bytes_ = 0;
    std::int64_t most_files_;
};

}  // namespace pegen::cli

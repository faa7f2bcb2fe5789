#include "cli/commit_groups.h"

#include <sys/resource.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "files/changed_folders.h"

namespace pegen::cli {
namespace {

/// Returns how many files may be open and put off.
std::int64_t files_in_group() {
    constexpr std::int64_t most = 256, others = 64, descriptors_of_file = 2;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) < 0) return 1;
    const auto allowed = static_cast<std::int64_t>(std::min<rlim_t>(limit.rlim_cur, 1 << 20));
    return std::clamp<std::int64_t>((allowed - others) / (2 * descriptors_of_file), 1, most);
}

std::int64_t bytes_of(const BatchJob& job) {
    std::int64_t bytes = 0;
    for (const Table& table : job.tables) bytes += total_bytes(table);
    return bytes;
}

void put_all_in_place(std::span<const std::unique_ptr<BatchJob>> jobs) {
    std::vector<OutputFile*> files;
    for (const auto& job : jobs)
        std::ranges::copy(files_of(job->staged->files), std::back_inserter(files));
    write_back(files);
    for (const auto& job : jobs) wait_for(*job);
    ChangedFolders folders;
    for (const auto& job : jobs) put_in_place(*job, folders);
    folders.sync();
}

}  // namespace

CommitGroups::CommitGroups() : most_files_(files_in_group()) {}

void CommitGroups::add(std::unique_ptr<BatchJob> job) {
    constexpr std::int64_t most_bytes = std::int64_t{64} << 20;
    if (!job->staged) return;
    if (!is_waited_for(*job->staged)) return put_all_in_place({&job, 1});
    std::vector<std::unique_ptr<BatchJob>> group;
    {
        const std::lock_guard lock(mutex_);
        files_ += std::ssize(job->stale);
        bytes_ += bytes_of(*job);
        group_.push_back(std::move(job));
        if (files_ < most_files_ && bytes_ < most_bytes) return;
        group = std::exchange(group_, {});
        files_ = bytes_ = 0;
    }
    put_all_in_place(group);
}

void CommitGroups::commit() { put_all_in_place(std::exchange(group_, {})); }

}  // namespace pegen::cli

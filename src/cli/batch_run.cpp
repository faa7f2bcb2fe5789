#include "cli/batch_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <mutex>
#include <utility>

#include "cli/batch_job.h"
#include "cli/commit_groups.h"
#include "cli/print.h"
#include "core/error.h"
#include "core/one_line.h"
#include "core/parallel.h"
#include "files/made_folders.h"
#include "files/target.h"
#include "numerics/self_test.h"

namespace pegen::cli {

std::string Batch::from_start(std::string_view file) const {
    return folder.empty() ? std::string(file) : fmt::format("{}/{}", folder, file);
}

Failure failure_at(const Batch& batch, const std::string& place,
                   const std::vector<std::string>& paths) {
    Failure failure = current_failure();
    // What the manifest asks for and cannot be done is the manifest's fault.
    if (failure.status == ExitStatus::usage) failure.status = ExitStatus::malformed;
    const bool begins_with_path = std::ranges::any_of(paths, [&](const std::string& path) {
        return failure.message.starts_with(one_line(path) + ":");
    });
    const std::string message =
        begins_with_path ? batch.from_start(failure.message) : failure.message;
    failure.message = printable(fmt::format("{}: {}: {}", batch.path, place, message));
    return failure;
}

void prepare_folder(const Batch& batch, const std::string& path, MadeFolders& folders) {
    if (batch.manifest.makes_folders) return folders.make_for(path);
    if (folders.has_folder_of(path)) return;
    throw FileError(path, fmt::format("the folder {} does not exist; \"mkdir\": true makes it",
                                      batch.from_start(folder_of(path))));
}

std::vector<JobReport> run_jobs(const Batch& batch, const Jobs& jobs, MadeFolders& folders,
                                ProgressLine& line) {
    numerics::self_test();
    std::mutex adding;
    std::deque<JobReport> begun;  // a deque, since jobs keep pointers to their reports
    const auto new_report = [&]() -> JobReport& {
        const std::lock_guard lock(adding);
        return begun.emplace_back();
    };
    const std::vector<std::size_t>& numbers = jobs.numbers;
    line.begin(batch.path);
    CommitGroups groups;
    const auto work = [&](std::int64_t) {
        for (std::size_t i = jobs.next(); i < numbers.size(); i = jobs.next()) {
            groups.add(begun_job(numbers[i], batch, folders, new_report()));
            line.update(static_cast<std::int64_t>(i) + 1, std::ssize(numbers));
        }
    };
    if (jobs.workers > 1) {
        limit_threads(jobs.workers);
        parallel_for(jobs.workers, work);
    } else {
        work(0);
    }
    groups.commit();
    line.hide();
    std::vector<JobReport> reports(std::move_iterator(begun.begin()),
                                   std::move_iterator(begun.end()));
    std::ranges::sort(reports, {}, &JobReport::job);
    return reports;
}

}  // namespace pegen::cli

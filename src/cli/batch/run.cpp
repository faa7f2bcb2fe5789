#include "cli/batch/run.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/batch/index.h"
#include "cli/batch/job_request.h"
#include "cli/batch/manifest.h"
#include "cli/generate.h"
#include "cli/inputs.h"
#include "cli/open_files.h"
#include "cli/print.h"
#include "cli/request.h"
#include "core/error.h"
#include "core/one_line.h"
#include "core/parallel.h"
#include "core/table.h"
#include "files/changed_folders.h"
#include "files/made_folders.h"
#include "files/sha256.h"
#include "files/target.h"
#include "formats/up_to_date.h"
#include "inspect/out_of_date.h"
#include "numerics/self_test.h"

namespace pegen::cli {

namespace {

/// A file of a job and the tables in it.
struct JobFile {
    const Target* target;
    std::size_t first;  ///< index of its first table in BatchJob::tables
    std::span<const Table> tables;
};

/// A job of a manifest while it runs. A failure ends the job and is recorded in its report.
struct BatchJob {
    const Batch* batch;
    JobReport* report;
    Job job;
    Request request{};
    std::vector<Table> tables{};
    std::vector<JobFile> files{};
    std::vector<Sha256> digests{};        ///< one for each of `files`
    std::vector<std::string> paths{};     ///< with which a message may begin
    std::vector<std::size_t> stale{};     ///< indices in `files` of the files not up to date
    std::optional<StagedFiles> staged{};  ///< stale files, written, not yet in place
};

/// Returns the files of a job in the order of all_targets().
std::vector<JobFile> job_files(const Request& request, std::span<const Table> tables) {
    std::vector<JobFile> files;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        for (const Target& target : request.tables[i].targets) {
            files.push_back({&target, i, tables.subspan(i, 1)});
        }
    }
    for (const Target& archive : request.archives) files.push_back({&archive, 0, tables});
    return files;
}

std::string plan_of(const JobFile& file, const Request& request) {
    const auto& [target, first, tables] = file;
    const std::string_view name = request.subject.name();
    if (target->format->archive) {
        return fmt::format("{}, {} table{}, {}", name, tables.size(), tables.size() == 1 ? "" : "s",
                           size_text(*target, tables));
    }
    const Table& table = tables.front();
    return fmt::format("{}, {} {}, {}", name, to_string(table.shape), info(table.dtype).name,
                       size_text(*target, table));
}

Outcome outcome_of(Freshness state) {
    switch (state) {
        case Freshness::up_to_date:
            return Outcome::up_to_date;
        case Freshness::out_of_date:
            return Outcome::out_of_date;
        case Freshness::missing:
            break;
    }
    return Outcome::missing;
}

bool is_indexed(const BatchJob& job) { return !job.batch->manifest.index.empty(); }

void enter_in_index(BatchJob& job, std::size_t i) {
    if (!is_indexed(job)) return;
    FileReport& report = job.report->files[i];
    const bool is_right =
        report.outcome == Outcome::up_to_date || report.outcome == Outcome::written;
    report.entry = index_entry(job.job, *job.files[i].target, job.files[i].tables,
                               is_right ? &job.digests[i] : nullptr);
}

/// Compares all files with the content that they should have.
void look_at_files(BatchJob& job) {
    for (std::size_t i = 0; i < job.files.size(); ++i) {
        const auto& [target, first, tables] = job.files[i];
        const Standing standing =
            compare_with_file(target->path, tables, *target->format, target->parameters,
                              is_indexed(job) ? &job.digests[i] : nullptr);
        FileReport& report = job.report->files[i];
        report.outcome = outcome_of(standing.state);
        if (report.outcome == Outcome::out_of_date) {
            report.reason = why_out_of_date(target->path, standing, tables, *target->format,
                                            target->parameters);
        }
        const bool is_final =
            report.outcome == Outcome::up_to_date || job.batch->mode == BatchMode::check;
        if (is_final) enter_in_index(job, i);
    }
}

/// Writes the files that are not up to date, without moving them to their final places.
void write_stale(BatchJob& job, MadeFolders& folders) {
    std::vector<TableOfTargets> stale;
    for (const Table& table : job.tables) stale.push_back({table, {}});
    std::vector<Target> archives;
    for (std::size_t i = 0; i < job.files.size(); ++i) {
        FileReport& report = job.report->files[i];
        if (report.outcome == Outcome::up_to_date) continue;
        report.outcome = Outcome::failed;  // until the file is in its final place
        job.stale.push_back(i);
        const auto& [target, first, tables] = job.files[i];
        (target->format->archive ? archives : stale[first].targets).push_back(*target);
    }
    if (job.stale.empty()) return;
    for (const std::size_t i : job.stale) {
        prepare_folder(*job.batch, job.report->files[i].path, folders);
    }
    job.staged = staged(stale, archives, is_indexed(job) ? Hashing::sha256 : Hashing::none,
                        {Existing::replaced, job.batch->sync});
}

/// Returns the files with which a message on a job may begin.
std::vector<std::string> paths_of(const Request& request) {
    std::vector<std::string> paths;
    for (const Target& target : all_targets(request)) paths.push_back(target.path);
    for (const NamedFile& input : files_of(request.parameters)) paths.push_back(input.file);
    return paths;
}

void do_job(BatchJob& job, MadeFolders& folders) {
    job.request = job_request(job.job, job.batch->manifest.defaults, job.batch->path);
    job.paths = paths_of(job.request);
    std::vector<FileReport>& reports = job.report->files;
    for (const Target& target : all_targets(job.request)) {
        reports.push_back({target.path, target.format->name, Outcome::failed});
    }
    for (const RequestedTable& wanted : job.request.tables) {
        job.tables.push_back(table_of(job.request, wanted));
    }
    job.files = job_files(job.request, job.tables);
    job.digests.resize(reports.size());
    if (job.batch->mode == BatchMode::describe) {
        for (std::size_t i = 0; i < reports.size(); ++i) {
            reports[i].plan = plan_of(job.files[i], job.request);
            reports[i].outcome = Outcome::planned;
        }
        return;
    }
    look_at_files(job);
    if (job.batch->mode == BatchMode::write) write_stale(job, folders);
}

/// Runs a step of the job. A failure ends the job and is recorded in its report.
template <class Step>
void take(BatchJob& job, const Step& step) {
    try {
        step();
    } catch (...) {
        job.staged.reset();
        job.report->failure = failure_at(*job.batch, job.job.place, job.paths);
    }
}

/// Begins the job with this number: examines its files and, in the mode write, writes files that
/// are not up to date.
std::unique_ptr<BatchJob> begun_job(std::size_t number, const Batch& batch, MadeFolders& folders,
                                    JobReport& report) {
    report.job = number;
    std::unique_ptr<BatchJob> job(new BatchJob{&batch, &report, batch.manifest.job(number)});
    take(*job, [&] { do_job(*job, folders); });
    return job;
}

/// Waits until the job's files that must be flushed are on the disk.
void wait_for(BatchJob& job) {
    if (job.staged) take(job, [&] { finish(*job.staged); });
}

/// Moves the files of the job to their final places, all or none, and adds the folders that must be
/// flushed.
void put_in_place(BatchJob& job, ChangedFolders& folders) {
    if (!job.staged) return;
    take(job, [&] {
        place(*job.staged, folders);
        for (std::size_t i = 0; i < job.stale.size(); ++i) {
            if (is_indexed(job)) job.digests[job.stale[i]] = job.staged->digests[i];
            job.report->files[job.stale[i]].outcome = Outcome::written;
            enter_in_index(job, job.stale[i]);
        }
        for (const std::string& note : job.staged->notes) {
            job.report->notes.push_back(
                fmt::format("{}: {}: {}", job.batch->path, job.job.place, note));
        }
    });
}

/// Moves the files of jobs to their final places. Jobs whose files must be flushed to the disk
/// first are collected in groups, since the disk writes a whole group in the time of a few files.
/// Any number of threads may add jobs.
class CommitGroups {
  public:
    CommitGroups();

    /// Moves the files of the job to their final places, now or with a later job of its group.
    void add(std::unique_ptr<BatchJob> job);

    /// Moves all files that are still waiting to their final places. Must be called after the last
    /// job.
    void commit();

  private:
    std::mutex mutex_;  ///< guards the members below
    std::vector<std::unique_ptr<BatchJob>> group_;
    std::int64_t files_ = 0;
    std::int64_t bytes_ = 0;
    std::int64_t most_files_;
};

/// Returns the maximum number of files in a group, which are all open at once.
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

}  // namespace

std::string Batch::from_start(std::string_view file) const {
    return folder.empty() ? std::string(file) : fmt::format("{}/{}", folder, file);
}

Failure failure_at(const Batch& batch, const std::string& place,
                   const std::vector<std::string>& paths) {
    Failure failure = current_failure();
    // An invalid option in a manifest is an error of the manifest, not of the command line.
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

#include "cli/batch_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/batch_index.h"
#include "cli/generate.h"
#include "cli/inputs.h"
#include "cli/job_request.h"
#include "core/to_size.h"
#include "formats/up_to_date.h"
#include "inspect/out_of_date.h"

namespace pegen::cli {
namespace {

/// In the order of all_targets().
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

/// Compares all files with what they should be.
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

/// Writes the files that are not up to date; they have not taken their places yet.
void write_stale(BatchJob& job, MadeFolders& folders) {
    std::vector<TableOfTargets> stale;
    for (const Table& table : job.tables) stale.push_back({table, {}});
    std::vector<Target> archives;
    for (std::size_t i = 0; i < job.files.size(); ++i) {
        FileReport& report = job.report->files[i];
        if (report.outcome == Outcome::up_to_date) continue;
        report.outcome = Outcome::failed;  // until it is in its place
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

/// The files that a message on a job may begin with.
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

/// Takes a step of the job; a failure ends the job and is reported.
template <class Step>
void take(BatchJob& job, const Step& step) {
    try {
        step();
    } catch (...) {
        job.staged.reset();
        job.report->failure = failure_at(*job.batch, job.job.place, job.paths);
    }
}

}  // namespace

std::unique_ptr<BatchJob> begun_job(std::size_t number, const Batch& batch, MadeFolders& folders,
                                    JobReport& report) {
    report.job = number;
    std::unique_ptr<BatchJob> job(new BatchJob{&batch, &report, batch.manifest.job(number)});
    take(*job, [&] { do_job(*job, folders); });
    return job;
}

void wait_for(BatchJob& job) {
    if (job.staged) take(job, [&] { finish(*job.staged); });
}

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

}  // namespace pegen::cli

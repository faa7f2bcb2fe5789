#include "cli/batch_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <system_error>

#include "cli/batch_index.h"
#include "cli/generate.h"
#include "cli/inputs.h"
#include "cli/job_request.h"
#include "cli/print.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/to_size.h"
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
    std::size_t first;  ///< of its tables
    std::span<const Table> tables;
};

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

/// A job, its files, and what is known of them so far.
struct Work {
    const Job& job;
    const Batch& batch;
    std::span<const Table> tables;
    std::vector<JobFile> files;
    std::vector<FileReport>& reports;
    std::vector<std::string>& notes;
    std::vector<Sha256> digests;

    bool is_indexed() const { return !batch.manifest.index.empty(); }
};

void enter_in_index(Work& work, std::size_t i) {
    if (!work.is_indexed()) return;
    const Outcome outcome = work.reports[i].outcome;
    const bool is_right = outcome == Outcome::up_to_date || outcome == Outcome::written;
    work.reports[i].entry = index_entry(work.job, *work.files[i].target, work.files[i].tables,
                                        is_right ? &work.digests[i] : nullptr);
}

/// Compares all files with what they should be.
void look_at_files(Work& work) {
    for (std::size_t i = 0; i < work.files.size(); ++i) {
        const auto& [target, first, tables] = work.files[i];
        const Standing standing =
            compare_with_file(target->path, tables, *target->format, target->parameters,
                              work.is_indexed() ? &work.digests[i] : nullptr);
        FileReport& report = work.reports[i];
        report.outcome = outcome_of(standing.state);
        if (report.outcome == Outcome::out_of_date) {
            report.reason = why_out_of_date(target->path, standing, tables, *target->format,
                                            target->parameters);
        }
        const bool is_final =
            report.outcome == Outcome::up_to_date || work.batch.mode == BatchMode::check;
        if (is_final) enter_in_index(work, i);
    }
}

/// Writes the files that are not up to date: all, or none.
void write_stale(Work& work, MadeFolders& folders) {
    std::vector<TableOfTargets> stale;
    for (const Table& table : work.tables) stale.push_back({table, {}});
    std::vector<Target> archives;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < work.files.size(); ++i) {
        if (work.reports[i].outcome == Outcome::up_to_date) continue;
        work.reports[i].outcome = Outcome::failed;  // until it is written
        numbers.push_back(i);
        const auto& [target, first, tables] = work.files[i];
        (target->format->archive ? archives : stale[first].targets).push_back(*target);
    }
    if (numbers.empty()) return;
    for (const std::size_t i : numbers) prepare_folder(work.batch, work.reports[i].path, folders);
    WrittenFiles written =
        write_targets(stale, archives, work.is_indexed() ? Hashing::sha256 : Hashing::none);
    work.notes = std::move(written.notes);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (work.is_indexed()) work.digests[numbers[i]] = written.digests[i];
        work.reports[numbers[i]].outcome = Outcome::written;
        enter_in_index(work, numbers[i]);
    }
}

void do_job(const Job& job, const Request& request, const Batch& batch, MadeFolders& folders,
            JobReport& report) {
    std::vector<FileReport>& reports = report.files;
    for (const Target& target : all_targets(request)) {
        reports.push_back({target.path, target.format->name, Outcome::failed});
    }
    std::vector<Table> tables;
    for (const RequestedTable& wanted : request.tables) {
        tables.push_back(table_of(request, wanted));
    }
    Work work{job,
              batch,
              tables,
              job_files(request, tables),
              reports,
              report.notes,
              std::vector<Sha256>(reports.size())};
    switch (batch.mode) {
        case BatchMode::write:
            look_at_files(work);
            write_stale(work, folders);
            break;
        case BatchMode::check:
            look_at_files(work);
            break;
        case BatchMode::describe:
            for (std::size_t i = 0; i < reports.size(); ++i) {
                reports[i].plan = plan_of(work.files[i], request);
                reports[i].outcome = Outcome::planned;
            }
    }
}

/// The files that a message on a job may begin with.
std::vector<std::string> paths_of(const Request& request) {
    std::vector<std::string> paths;
    for (const Target& target : all_targets(request)) paths.push_back(target.path);
    for (const NamedFile& input : files_of(request.parameters)) paths.push_back(input.file);
    return paths;
}

JobReport run_job(const Job& job, const Batch& batch, MadeFolders& folders) {
    JobReport report;
    std::vector<std::string> paths;
    try {
        const Request request = job_request(job, batch.manifest.defaults, batch.path);
        paths = paths_of(request);
        do_job(job, request, batch, folders, report);
        for (std::string& note : report.notes) {
            note = fmt::format("{}: {}: {}", batch.path, job.place, note);
        }
    } catch (...) {
        report.failure = failure_at(batch, job.place, paths);
    }
    return report;
}

}  // namespace

std::string Batch::from_start(std::string_view file) const {
    return folder.empty() ? std::string(file) : fmt::format("{}/{}", folder, file);
}

Failure failure_at(const Batch& batch, const std::string& place,
                   const std::vector<std::string>& paths) {
    Failure failure = current_failure();
    // What the manifest asks for and cannot be done is the manifest's fault.
    if (failure.status == ExitStatus::usage) failure.status = ExitStatus::malformed;
    const bool begins_with_path = std::ranges::any_of(
        paths, [&](const std::string& path) { return failure.message.starts_with(path + ":"); });
    const std::string message =
        begins_with_path ? batch.from_start(failure.message) : failure.message;
    failure.message = printable(fmt::format("{}: {}: {}", batch.path, place, message));
    return failure;
}

void prepare_folder(const Batch& batch, const std::string& path, MadeFolders& folders) {
    if (batch.manifest.makes_folders) return folders.make_for(path);
    const std::string folder = folder_of(path);
    std::error_code error;
    if (std::filesystem::symlink_status(folder, error).type() !=
        std::filesystem::file_type::not_found)
        return;
    throw FileError(path, fmt::format("the folder {} does not exist; \"mkdir\": true makes it",
                                      batch.from_start(folder)));
}

std::vector<JobReport> run_jobs(const Batch& batch, int workers, MadeFolders& folders,
                                ProgressLine& line) {
    numerics::self_test();
    std::vector<JobReport> reports(batch.manifest.size);
    const auto count = std::ssize(reports);
    std::atomic<std::int64_t> done = 0, bytes = 0;
    line.begin(batch.path);
    const auto run = [&](std::int64_t i) {
        reports[to_size(i)] = run_job(batch.manifest.job(to_size(i)), batch, folders);
        for (const FileReport& file : reports[to_size(i)].files) bytes += std::ssize(file.entry);
        if (bytes > most_bytes_of_index) {
            throw FormatError(batch.path, fmt::format("index: would have more than {} bytes",
                                                      most_bytes_of_index));
        }
        line.update(++done, count);
    };
    if (workers > 1) {
        limit_threads(workers);
        parallel_for(count, run);
    } else {
        for (std::int64_t i = 0; i < count; ++i) run(i);
    }
    line.hide();
    return reports;
}

}  // namespace pegen::cli

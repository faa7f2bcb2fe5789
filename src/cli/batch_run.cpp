#include "cli/batch_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <limits>
#include <map>
#include <system_error>

#include "cli/generate.h"
#include "cli/inputs.h"
#include "cli/job_request.h"
#include "cli/print.h"
#include "core/error.h"
#include "core/one_line.h"
#include "core/parallel.h"
#include "core/to_size.h"
#include "formats/up_to_date.h"
#include "numerics/self_test.h"

namespace pegen::cli {
namespace {

/// The failure being handled; the manifest is at fault where the job asks for what cannot be done.
Failure failure_of(const Job& job, std::string_view path) {
    Failure failure = current_failure();
    if (failure.status == ExitStatus::usage) failure.status = ExitStatus::malformed;
    failure.message = printable(fmt::format("{}: {}: {}", path, job.place, failure.message));
    return failure;
}

std::string normal(const std::string& path) {
    return std::filesystem::path(path).lexically_normal().string();
}

/// The names of all targets together.
constexpr std::size_t most_bytes_of_names = std::size_t{64} << 20;

/// Checks the keys, the targets and the inputs of all jobs, which run in any order.
/// Throws: FormatError.
void check_jobs(const Manifest& manifest, std::string_view path) {
    constexpr auto this_manifest = std::numeric_limits<std::size_t>::max();
    std::map<std::string, std::size_t> owners;  // of the targets: the numbers of their jobs
    owners.emplace(std::filesystem::path(path).filename().string(), this_manifest);
    std::map<std::string, std::size_t> readers;  // of the inputs
    const auto owner_text = [&](std::size_t owner) {
        return owner == this_manifest
                   ? std::string("this manifest itself")
                   : fmt::format("also the target of {}", manifest.job(owner).place);
    };
    std::size_t bytes = 0;
    for (std::size_t number = 0; number < manifest.size; ++number) {
        const Job job = manifest.job(number);
        std::vector<Target> targets;
        try {
            const Request request = job_request(job, manifest.defaults, path);
            targets = all_targets(request);
            for (const NamedFile& input : files_of(request.parameters)) {
                readers.emplace(normal(input.file), number);
            }
        } catch (const UsageError&) {
            continue;  // run_job() reports it when the job is run
        }
        for (const Target& target : targets) {
            bytes += target.path.size();
            if (bytes > most_bytes_of_names) {
                throw FormatError(path, fmt::format("{}: the names of all files up to here are "
                                                    "longer than {} bytes together",
                                                    job.place, most_bytes_of_names));
            }
            const auto [owner, is_new] = owners.emplace(normal(target.path), number);
            if (is_new) continue;
            throw FormatError(path, fmt::format("{}: {} is {}", job.place, target.path,
                                                owner_text(owner->second)));
        }
    }
    for (const auto& [file, reader] : readers) {
        const auto owner = owners.find(file);
        if (owner == owners.end()) continue;
        throw FormatError(path,
                          fmt::format("{}: reads {}, which is {}; jobs run in any order",
                                      manifest.job(reader).place, file, owner_text(owner->second)));
    }
}

std::string description(const Target& target, const Request& request, const Table& table) {
    return fmt::format("{}: {}, {} {}, {}", one_line(target.path), request.subject.name(),
                       to_string(table.shape), info(table.dtype).name, size_text(target, table));
}

std::string description(const Target& archive, const Request& request,
                        std::span<const Table> tables) {
    return fmt::format("{}: {}, {} table{}, {}", one_line(archive.path), request.subject.name(),
                       tables.size(), tables.size() == 1 ? "" : "s", size_text(archive, tables));
}

/// The report on a file that is not up to date.
std::string line_of(const Target& target, BatchMode mode) {
    if (mode == BatchMode::write) return "wrote " + one_line(target.path);
    std::error_code error;
    const bool is_there = std::filesystem::exists(target.path, error);
    return (is_there ? "out of date: " : "missing: ") + one_line(target.path);
}

void describe_job(const Request& request, std::span<const Table> tables, JobReport& report) {
    for (std::size_t i = 0; i < tables.size(); ++i) {
        for (const Target& target : request.tables[i].targets) {
            report.lines.push_back(description(target, request, tables[i]));
        }
    }
    for (const Target& archive : request.archives) {
        report.lines.push_back(description(archive, request, tables));
    }
}

void do_job(const Request& request, BatchMode mode, JobReport& report) {
    std::vector<Table> tables;
    for (const RequestedTable& wanted : request.tables) {
        tables.push_back(table_of(request, wanted));
    }
    if (mode == BatchMode::describe) return describe_job(request, tables, report);

    std::vector<TableOfTargets> stale;
    std::vector<Target> stale_archives = request.archives, all;
    const auto drop_fresh = [&](std::vector<Target>& targets, const auto& is_fresh) {
        report.fresh += static_cast<std::int64_t>(std::erase_if(targets, is_fresh));
        all.insert(all.end(), targets.begin(), targets.end());
    };
    for (std::size_t i = 0; i < tables.size(); ++i) {
        stale.push_back({tables[i], request.tables[i].targets});
        drop_fresh(stale[i].targets, [&](const Target& target) {
            return is_up_to_date(target.path, tables[i], *target.format, target.parameters);
        });
    }
    drop_fresh(stale_archives, [&](const Target& archive) {
        return is_up_to_date(archive.path, tables, *archive.format->archive);
    });
    if (mode == BatchMode::write && !all.empty()) {
        report.notes = write_targets(stale, stale_archives);
    }
    for (const Target& target : all) report.lines.push_back(line_of(target, mode));
}

JobReport run_job(const Job& job, const Manifest& manifest, std::string_view path, BatchMode mode) {
    JobReport report;
    try {
        do_job(job_request(job, manifest.defaults, path), mode, report);
        for (std::string& note : report.notes) {
            note = fmt::format("{}: {}: {}", path, job.place, note);
        }
    } catch (...) {
        report.failure = failure_of(job, path);
    }
    return report;
}

}  // namespace

std::vector<JobReport> run_jobs(const Manifest& manifest, std::string_view path, BatchMode mode,
                                int workers, ProgressLine& line) {
    numerics::self_test();
    check_jobs(manifest, path);
    std::vector<JobReport> reports(manifest.size);
    const auto count = std::ssize(reports);
    std::atomic<std::int64_t> done = 0;
    line.begin(std::string(path));
    const auto run = [&](std::int64_t i) {
        reports[to_size(i)] = run_job(manifest.job(to_size(i)), manifest, path, mode);
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

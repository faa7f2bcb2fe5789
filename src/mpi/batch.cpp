#include "mpi/batch.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/batch_shard.h"
#include "cli/run_batch.h"
#include "core/parallel.h"
#include "mpi/job_reports.h"
#include "mpi/ranks.h"

namespace pegen::mpi {
namespace {

/// Runs jobs until no rank finds another one. The first rank returns the reports of all.
std::optional<std::vector<cli::JobReport>> run_dealt(const cli::Batch& batch, cli::Jobs jobs,
                                                     MadeFolders& folders,
                                                     cli::ProgressLine& line) {
    together([&] {
        const std::vector<std::int64_t> costs = cli::costs_of_jobs(batch);
        std::ranges::stable_sort(jobs.numbers, std::ranges::greater(),
                                 [&](std::size_t number) { return costs[number]; });
    });
    SharedCounter counter;
    jobs.next = [&] { return static_cast<std::size_t>(counter.next()); };
    std::string reports;
    together([&] { reports = bytes_of(cli::run_jobs(batch, jobs, folders, line)); });
    const std::vector<std::string> all = texts_at_first(reports);
    if (rank() != 0) return {};
    return reports_of(all);
}

}  // namespace

cli::ExitStatus run_batch(std::span<const std::string_view> arguments) {
    limit_threads(own_processors());
    cli::ExitStatus status = cli::ExitStatus::done;
    together([&] { status = cli::run_batch(arguments, run_dealt); });
    return static_cast<cli::ExitStatus>(
        std::stoi(text_of_first(std::to_string(static_cast<int>(status)))));
}

}  // namespace pegen::mpi

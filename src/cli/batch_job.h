#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/batch_run.h"
#include "cli/manifest.h"
#include "cli/open_files.h"
#include "cli/request.h"
#include "core/table.h"
#include "files/sha256.h"

namespace pegen::cli {

/// A file of a job and the tables in it.
struct JobFile {
    const Target* target;
    std::size_t first;  ///< of its tables
    std::span<const Table> tables;
};

/// A job of a manifest on its way. What fails ends it and goes to its report.
struct BatchJob {
    const Batch* batch;
    JobReport* report;
    Job job;
    Request request{};
    std::vector<Table> tables{};
    std::vector<JobFile> files{};
    std::vector<Sha256> digests{};        ///< of the files
    std::vector<std::string> paths{};     ///< that a message may begin with
    std::vector<std::size_t> stale{};     ///< the files that are not up to date
    std::optional<StagedFiles> staged{};  ///< those, written, until they are in their places
};

/// Looks at the files of the job of this number and, if that is the mode, writes those that are not
/// up to date.
std::unique_ptr<BatchJob> begun_job(std::size_t number, const Batch& batch, MadeFolders& folders,
                                    JobReport& report);

/// Waits until the files that replace others are on the disk.
void wait_for(BatchJob& job);

/// Puts the files in their places, all or none, and adds the folders that are to be flushed.
void put_in_place(BatchJob& job, ChangedFolders& folders);

}  // namespace pegen::cli

#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/progress_line.h"
#include "cli/request.h"

namespace pegen::cli {

/// Plans one of the tables of a request. Throws: as plan_table().
PlannedTable planned_table(const Request& request, const RequestedTable& wanted);

/// Makes one of the tables of a request. Throws: UsageError.
Table table_of(const Request& request, const RequestedTable& wanted,
               const Progress& progress = ignore_progress);

/// Throws: UsageError if a target cannot take such a file, as a terminal cannot take bytes;
/// FileError if one exists that is to be kept.
void check_targets(std::span<const Target> targets, const RunSettings& settings);

/// A table whose rows are still to be made, and the files it is to be written to.
struct PlannedOutput {
    PlannedTable planned;
    std::vector<Target> targets;
};

/// A run of the command `title`, which the progress line shows.
struct Run {
    std::string title;
    RunSettings settings;
};

/// Makes the rows of the tables and writes every target, and all tables to each of `archives`.
/// Afterwards all files exist, or none has been changed. Prints to standard error what the user
/// should know of the parameters and of the files.
void generate(std::span<const PlannedOutput> tables, std::span<const Target> archives,
              const Run& run, ProgressLine& line);

/// Returns the shape and the dtype of a table and the size of each target, after all checks but
/// those of the disk.
std::string dry_run_text(const PlannedOutput& output, const Run& run, ProgressLine& line);

/// Returns the size of each archive of the tables, after the same checks.
std::string dry_run_text(std::span<const PlannedOutput> tables, std::span<const Target> archives,
                         const Run& run);

/// Makes the tables and writes every target. Afterwards all files exist, or none has been changed.
void generate(const Request& request, ProgressLine& line);

/// The size of a file, "1048704 bytes", if it is known before the file is written.
std::string size_text(const Target& target, const Table& table);
std::string size_text(const Target& archive, std::span<const Table> tables);

/// Prints what generate() would make: the resolved parameters, the shape, the size of each target.
void print_dry_run(const Request& request, ProgressLine& line);

}  // namespace pegen::cli

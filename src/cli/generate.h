#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/progress_line.h"
#include "cli/request.h"

namespace pegen::cli {

/// Plans one table of a request. Throws: as plan_table().
PlannedTable planned_table(const Request& request, const RequestedTable& wanted);

/// Makes one table of a request. Throws: UsageError.
Table table_of(const Request& request, const RequestedTable& wanted,
               const Progress& progress = ignore_progress);

/// Checks the targets before any value is computed.
/// Throws: UsageError if a target cannot take a file of its format, such as a terminal for binary
/// data; FileError if a target exists and must not be replaced.
void check_targets(std::span<const Target> targets, const RunSettings& settings);

/// A table whose rows are not made yet, and the files to write it to.
struct PlannedOutput {
    PlannedTable planned;
    std::vector<Target> targets;
};

/// The settings of a run. The progress line shows `title`.
struct Run {
    std::string title;
    RunSettings settings;
};

/// Makes the rows of the tables and writes every target, and all tables to each of `archives`.
/// Afterwards either all files exist or none has been changed. Prints notes on the parameters and
/// on the files to standard error.
void generate(std::span<const PlannedOutput> tables, std::span<const Target> archives,
              const Run& run, ProgressLine& line);

/// Returns lines with the shape and the dtype of a table and the size of each target. Makes all
/// checks of generate() except those that need the disk.
std::string dry_run_text(const PlannedOutput& output, const Run& run, ProgressLine& line);

/// Returns a line with the size of each archive of the tables, after the same checks.
std::string dry_run_text(std::span<const PlannedOutput> tables, std::span<const Target> archives,
                         const Run& run);

/// Makes the tables of the request and writes every target, or prints the tables if there is none.
/// Afterwards either all files exist or none has been changed.
void generate(const Request& request, ProgressLine& line);

/// Returns the size of a file, "1048704 bytes", if it is known before the file is written.
std::string size_text(const Target& target, const Table& table);
std::string size_text(const Target& archive, std::span<const Table> tables);

/// Prints what generate() would make: the resolved parameters, the shape and the size of each
/// target.
void print_dry_run(const Request& request, ProgressLine& line);

}  // namespace pegen::cli

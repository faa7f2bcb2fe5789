#pragma once

#include "cli/progress_line.h"
#include "cli/request.h"

namespace pegen::cli {

/// Makes the table of a request. Throws: UsageError.
Table table_of(const Request& request, const Progress& progress = ignore_progress);

/// Writes the table to every target. Afterwards all files exist, or none has been changed.
void write_targets(const Table& table, const std::vector<Target>& targets,
                   const Progress& progress = ignore_progress);

/// Makes the table and writes every target. Afterwards all files exist, or none has been changed.
void generate(const Request& request, ProgressLine& line);

/// The size of a file, "1048704 bytes", if it is known before the file is written.
std::string size_text(const Target& target, const Table& table);

/// Prints what generate() would make: the resolved parameters, the shape, the size of each target.
void print_dry_run(const Request& request, ProgressLine& line);

}  // namespace pegen::cli

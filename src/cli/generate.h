#pragma once

#include "cli/progress_line.h"
#include "cli/request.h"

namespace pegen::cli {

/// The table of a request. Throws: UsageError.
Table table_of(const Request& request, const Progress& progress = ignore_progress);

/// Writes the table to every target; all of them are there afterwards, or none is changed.
void write_targets(const Table& table, const std::vector<Target>& targets,
                   const Progress& progress = ignore_progress);

/// Makes the table and writes every target; all of them are there afterwards, or none is changed.
void generate(const Request& request, ProgressLine& line);

/// "1048704 bytes" of a file, where that is known without writing it.
std::string size_text(const Target& target, const Table& table);

/// Prints what generate() would make: the resolved parameters, the shape, the size of each target.
void print_dry_run(const Request& request, ProgressLine& line);

}  // namespace pegen::cli

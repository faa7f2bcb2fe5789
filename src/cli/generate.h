#pragma once

#include "cli/progress_line.h"
#include "cli/request.h"

namespace pegen::cli {

/// Makes the table and writes every target; all of them are there afterwards, or none is changed.
void generate(const Request& request, ProgressLine& line);

/// Prints what generate() would make: the resolved parameters, the shape, the size of each target.
void print_dry_run(const Request& request, ProgressLine& line);

}  // namespace pegen::cli

#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/batch_run.h"

namespace pegen::mpi {

/// Returns reports on jobs as bytes, for another process of the same program.
std::string bytes_of(const std::vector<cli::JobReport>& reports);

/// Returns the reports of several processes, in the order of the manifest.
std::vector<cli::JobReport> reports_of(std::span<const std::string> bytes);

}  // namespace pegen::mpi

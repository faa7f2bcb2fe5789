#pragma once

#include <string>
#include <string_view>

#include "cli/explore/asked.h"
#include "core/table.h"

namespace pegen::cli {

/// Returns the command line that writes the table as a file of this format: "pe-gen fairseq --d 64
/// --npy fairseq.npy". `table` needs no rows.
std::string page_command(const Asked& asked, const Table& table, std::string_view format);

}  // namespace pegen::cli

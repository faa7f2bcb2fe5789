#pragma once

#include <cstdint>
#include <span>

#include "core/table.h"

namespace pegen::cli {

/// Throws: UsageError unless there is an index for each axis of the table, within its extent.
void check_cell(const Table& table, std::span<const std::int64_t> at);

}  // namespace pegen::cli

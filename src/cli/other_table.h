#pragma once

#include <string_view>

#include "core/table.h"

namespace pegen::cli {

/// Makes the table `name` of what `text` asks for, for Table::other: "llama3.1 --d 64". The text
/// may be a stranger's, in a manifest, so it names no files. Throws: UsageError.
Table other_table(std::string_view text, std::string_view name);

}  // namespace pegen::cli

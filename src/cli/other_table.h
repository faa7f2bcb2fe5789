#pragma once

#include <string_view>

#include "core/table.h"

namespace pegen::cli {

/// Makes the table `name` of the encoding and options in `text`, such as "llama3.1 --d 64". Serves
/// as Table::other. Does not accept options that name files, since the text may come from an
/// untrusted manifest. Throws: UsageError.
Table other_table(std::string_view text, std::string_view name);

}  // namespace pegen::cli

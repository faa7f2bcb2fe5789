#pragma once

#include <string_view>

namespace pegen::cli {

/// Checks that `path` leads to a file in or below the current folder: the path is relative and
/// contains neither ".." nor a symbolic link, which might lead anywhere.
/// Throws: UsageError if it does not.
void check_beneath(std::string_view path);

}  // namespace pegen::cli

#pragma once

#include <string_view>

namespace pegen::cli {

/// Throws: UsageError unless `path` leads to a file in or below the current folder: it is relative
/// and contains neither ".." nor a symbolic link, which might lead anywhere.
void check_beneath(std::string_view path);

}  // namespace pegen::cli

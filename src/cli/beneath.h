#pragma once

#include <string_view>

namespace pegen::cli {

/// Throws: UsageError unless `path` is a way from the current folder to a file in or below it: not
/// absolute, without "..", and over no symbolic link, which might lead anywhere.
void check_beneath(std::string_view path);

}  // namespace pegen::cli

#pragma once

#include <span>
#include <string_view>

#include "formats/format.h"

namespace pegen {

/// Returns every format, in the order of the help.
std::span<const Format* const> all_formats();

/// Returns the format for the extension of `path`, in upper or lower case; nullptr if there is
/// none.
const Format* format_by_extension(std::string_view path);

}  // namespace pegen

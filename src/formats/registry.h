#pragma once

#include <span>
#include <string>
#include <string_view>

#include "formats/format.h"

namespace pegen {

/// Returns every format, in the order of the help.
std::span<const Format* const> all_formats();

/// Returns the extension in lower case: "npy" for "out/A.NPY" and ".npy", "" for "npy".
std::string extension_of(std::string_view path);

/// True if `path` ends in one of the format's extensions, in upper or lower case.
bool has_extension(std::string_view path, const Format& format);

/// Returns the format, or else the language of all_languages(), for the extension of `path`;
/// nullptr if there is none.
const Format* format_by_extension(std::string_view path);

}  // namespace pegen

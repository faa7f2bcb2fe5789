#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/progress.h"

namespace pegen {

/// Something that can be said of a file, for people and for programs.
struct Fact {
    std::string_view name;  ///< "shape"
    std::string text;       ///< "(400, 128)"; "": programs only
    std::string json;       ///< "[400,128]"
};

/// What is in a file: an NPY file, whose values are gone through, or a PNG, SVG or JSON file of
/// pe-gen's, which says what command made it. "-" and FIFOs are read as they come. Nothing in the
/// file is trusted. Throws: FileError; FormatError for a file that is none of these, or a broken
/// one; UsageError for a parameter that no longer is allowed.
std::vector<Fact> facts_of(std::string_view path, const Progress& progress = ignore_progress);

}  // namespace pegen

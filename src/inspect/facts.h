#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/progress.h"

namespace pegen {

/// A statement about a file, for people and for programs.
struct Fact {
    std::string_view name;  ///< "shape"
    std::string text;       ///< "(400, 128)"; "" if the fact is for programs only
    std::string json;       ///< "[400,128]"
};

/// Returns the name of the format that the first bytes of a file belong to, among the formats that
/// facts_of() describes; "" for other formats. Throws: FileError; FormatError for a broken archive.
std::string_view format_of(std::string_view path);

/// Describes a file: the values of an NPY file, or of FILE:NAME in an NPZ or safetensors file, all
/// of which are read; the arrays in an NPZ or safetensors file; the command that made a PNG, SVG,
/// PDF, HTML, JSON or safetensors file of pe-gen. "-" and FIFOs are read as streams. Nothing in the
/// file is trusted. Throws: FileError; FormatError for a file of another format, or a broken one.
std::vector<Fact> facts_of(std::string_view path, const Progress& progress = ignore_progress);

}  // namespace pegen

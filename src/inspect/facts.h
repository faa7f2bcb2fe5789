#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/progress.h"
#include "core/table.h"

namespace pegen {

/// Statistics of all values of a table.
struct Statistics {
    std::int64_t nans = 0;
    std::int64_t infinities = 0;  ///< of either sign
    std::int64_t finite = 0;      ///< all other values, which the members below describe

    /// The shortest text that reads back as the lowest value; "" if no value is finite.
    std::string lowest;
    std::string highest;

    /// The mean of the finite values. For integers and bools it is the exact sum, divided with an
    /// error of less than 2 ULP. For floats it is correct to 2 ULP plus 2^-90 of the mean
    /// magnitude. 0 if no value is finite.
    double mean = 0;
};

/// Reads the table once, in tiles, with memory for one tile in each thread. The result does not
/// depend on the number of threads. Throws what reading the rows throws.
Statistics statistics_of(const Table& table, const Progress& progress = ignore_progress);

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

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "encodings/encoding.h"

// The tables that are joined to one table, as text.
namespace pegen::encodings {

inline constexpr ParameterSpec parts_parameter{
    .name = "parts",
    .type = ParameterType::text,
    .summary =
        "the tables: names and parameters, separated by ';'; on the command line each "
        "stands behind a --",
    .joined_by = ";"};

/// A table as the user describes it: "whisper --d 8 --len 3".
struct TablePart {
    const Encoding* encoding;
    const Preset* preset;  ///< nullptr if the user gave the name of the encoding
    const TableSpec* table;
    Parameters parameters;

    std::string_view name() const { return preset ? preset->name : encoding->name; }
};

/// Reads --parts. Each part is the name of an encoding, a preset or a file, followed by its
/// parameters, by their full names or aliases, including --table. '...' keeps spaces and semicolons
/// in a word. Throws: UsageError.
std::vector<TablePart> parse_parts(std::string_view text);

/// Returns the word as parse_parts() reads it, in quotation marks if it needs them.
std::string word_of_part(std::string_view text);

}  // namespace pegen::encodings

#pragma once

#include <string>
#include <string_view>

// Plain text for a terminal of 100 columns.
namespace pegen::cli {

inline constexpr std::size_t text_width = 100;

/// `left`, then `right` in a column that begins at `column`, wrapped; a `left` that reaches into
/// the column has the line for itself. Ends with a line feed.
std::string two_columns(std::string_view left, std::string_view right, std::size_t column);

/// `text` wrapped, each line behind `indent` spaces. Line feeds in it stay.
std::string paragraph(std::string_view text, std::size_t indent);

}  // namespace pegen::cli

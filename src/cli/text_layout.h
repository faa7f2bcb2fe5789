#pragma once

#include <string>
#include <string_view>

// Layout of plain text for a terminal of 100 columns.
namespace pegen::cli {

inline constexpr std::size_t text_width = 100;

/// Returns `left`, then `right`, wrapped, in a column that begins at `column`. If `left` reaches
/// into that column, `right` begins on the next line. Ends with a line feed.
std::string two_columns(std::string_view left, std::string_view right, std::size_t column);

/// Wraps `text` and indents each line by `indent` spaces. Line feeds in it are kept.
std::string paragraph(std::string_view text, std::size_t indent);

}  // namespace pegen::cli

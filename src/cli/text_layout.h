#pragma once

#include <string>
#include <string_view>

// Layout of plain text in lines of at most `width` columns. No word is broken.
namespace pegen::cli {

/// The width of help: COLUMNS, else the window at standard output or standard error, else 80; but
/// at least 40 and at most 100.
std::size_t help_width();

/// The width of reports: that of the window if standard output is one, as for help, else 100.
std::size_t report_width();

/// Returns `left`, then `right`, wrapped, in a column that begins at `column`, or near the left
/// edge if there is little room. If `left` reaches into that column, `right` begins on the next
/// line. Ends with a line feed.
std::string two_columns(std::string_view left, std::string_view right, std::size_t column,
                        std::size_t width = help_width());

/// Wraps `text` and indents each line by `indent` spaces. Line feeds in it are kept.
std::string paragraph(std::string_view text, std::size_t indent, std::size_t width = help_width());

/// Returns a command line, indented by two spaces. If it is too long, its lines end in a backslash,
/// so that a shell reads them as one; what stands in quotes stays on one line.
std::string command_line(std::string_view command, std::size_t width = help_width());

}  // namespace pegen::cli

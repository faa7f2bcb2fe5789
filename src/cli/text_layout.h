#pragma once

#include <string>
#include <string_view>

// Layout of plain text in lines of at most `width` columns. No word is broken.
namespace pegen::cli {

/// Returns the width of help: COLUMNS, else the window at standard output or standard error, else
/// 80; but at least 40 and at most 100.
std::size_t help_width();

/// Returns the width of reports: as for help if standard output is a terminal, else 100.
std::size_t report_width();

/// Returns `left` and then `right`, wrapped, in a column that begins at `column`, or near the left
/// edge if there is little room. If `left` reaches into the column of `right`, `right` begins on
/// the next line. The result ends with a line feed.
std::string two_columns(std::string_view left, std::string_view right, std::size_t column,
                        std::size_t width = help_width());

/// Wraps a formula and indents it likewise: lines break behind commas that are in no brackets, or,
/// where none is near, at spaces; what is broken off is indented further.
std::string formula(std::string_view text, std::size_t indent, std::size_t width = help_width());

/// Wraps `text` and indents each line by `indent` spaces. Keeps the line feeds of `text`.
std::string paragraph(std::string_view text, std::size_t indent, std::size_t width = help_width());

/// Returns a command line, indented by two spaces. A long command line is split into lines that end
/// in a backslash, so that a shell reads them as one; a quoted text is not split.
std::string command_line(std::string_view command, std::size_t width = help_width());

}  // namespace pegen::cli

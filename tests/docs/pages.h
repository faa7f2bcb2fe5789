#pragma once

#include <string>
#include <string_view>
#include <vector>

/// A command that a page of the documentation shows.
struct ShownCommand {
    std::string page;  ///< the path, "docs/inspect.md"
    int line;
    std::string command;  ///< text for a shell; continued lines are joined
    /// The lines that the page shows below the command; "..." matches any number of lines. Empty if
    /// the page shows none.
    std::string output;
};

/// Returns README.md and every page below docs.
std::vector<std::string> all_pages();

/// Returns the commands in the indented blocks of a page, which follow "$ ", with their output.
std::vector<ShownCommand> commands_in_blocks(const std::string& page);

/// Returns the commands in the text of a page, which begin with `pe-gen and a space.
std::vector<ShownCommand> commands_in_text(const std::string& page);

/// True if `output` matches the output that a page shows; spaces at the ends of lines do not count.
bool is_shown(std::string_view output, std::string_view shown);

/// A fenced block of a page, which begins with ```python.
struct Snippet {
    int line;
    std::string language;
    std::string text;
};

std::vector<Snippet> snippets_of(const std::string& page);

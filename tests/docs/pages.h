#pragma once

#include <string>
#include <string_view>
#include <vector>

/// A command that a page of the documentation shows.
struct ShownCommand {
    std::string page;  ///< "docs/inspect.md"
    int line;
    std::string command;  ///< for a shell; continued lines are one
    /// The lines below it; "..." stands for any number of lines. Empty: the page shows none.
    std::string output;
};

/// Returns README.md and every page below docs.
std::vector<std::string> all_pages();

/// Returns the commands in the indented blocks of a page, those after "$ ", with what they print.
std::vector<ShownCommand> commands_in_blocks(const std::string& page);

/// Returns the commands in the text of a page, those that begin with `pe-gen and a space.
std::vector<ShownCommand> commands_in_text(const std::string& page);

/// True if `output` is what a page shows; spaces at the ends of lines do not count.
bool is_shown(std::string_view output, std::string_view shown);

/// A fenced block of a page, ```python.
struct Snippet {
    int line;
    std::string language;
    std::string text;
};

std::vector<Snippet> snippets_of(const std::string& page);

#include "cli/text_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/terminal.h"
#include "core/names.h"

namespace pegen::cli {
namespace {

constexpr int least_width = 40, most_width = 100;

std::size_t limited(int columns) {
    return static_cast<std::size_t>(std::clamp(columns, least_width, most_width));
}

std::size_t columns_of(std::string_view text) {
    const auto begins_character = [](char c) { return (c & 0xc0) != 0x80; };
    return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

/// Splits words into lines of at most `width` columns. Each line but the last ends in `ending`,
/// whose width is included.
std::vector<std::string> filled(const std::vector<std::string_view>& words, std::size_t width,
                                std::string_view ending = "") {
    std::vector<std::string> lines{""};
    for (const std::string_view word : words) {
        const std::size_t needed = columns_of(lines.back()) + 1 + columns_of(word) + ending.size();
        if (!lines.back().empty() && needed > width) {
            lines.back() += ending;
            lines.emplace_back();
        }
        if (!lines.back().empty()) lines.back() += ' ';
        lines.back() += word;
    }
    return lines;
}

/// Splits a line behind each comma that is in no brackets; the commas stay.
std::vector<std::string_view> items_of(std::string_view line) {
    std::vector<std::string_view> items;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        depth += line[i] == '(' || line[i] == '[' ? 1 : line[i] == ')' || line[i] == ']' ? -1 : 0;
        if (line[i] != ',' || depth > 0) continue;
        items.push_back(line.substr(begin, i + 1 - begin));
        begin = std::min(line.find_first_not_of(' ', i + 1), line.size());
    }
    items.push_back(line.substr(begin));
    return items;
}

/// Splits a command at spaces, but not inside quotes.
std::vector<std::string_view> shell_words(std::string_view command) {
    std::vector<std::string_view> parts;
    char quote = '\0';
    std::size_t begin = 0;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const char c = command[i];
        if (quote == '\0' && c == ' ') {
            parts.push_back(command.substr(begin, i - begin));
            begin = i + 1;
        } else if (c == quote) {
            quote = '\0';
        } else if (quote == '\0' && (c == '\'' || c == '"')) {
            quote = c;
        }
    }
    parts.push_back(command.substr(begin));
    return parts;
}

}  // namespace

std::size_t help_width() { return limited(columns_for_help()); }

std::size_t report_width() { return limited(columns_for_reports()); }

std::string two_columns(std::string_view left, std::string_view right, std::size_t column,
                        std::size_t width) {
    constexpr std::size_t least_room = 36, small_column = 8;
    if (column + least_room > width) column = std::min(column, small_column);
    std::string result(left);
    bool is_first = left.size() + 2 <= column;
    if (!is_first) result += '\n';
    for (const std::string& line : filled(words(right), width - column)) {
        result += std::string(is_first ? column - left.size() : column, ' ') + line + '\n';
        is_first = false;
    }
    return result;
}

std::string formula(std::string_view text, std::size_t indent, std::size_t width) {
    constexpr std::size_t hanging = 2;
    std::string result;
    for (const std::string_view line : words(text, '\n')) {
        if (columns_of(line) + indent <= width) {
            result += std::string(indent, ' ').append(line) + '\n';
            continue;
        }
        const std::size_t own = line.find_first_not_of(' ');
        bool is_first = true;
        for (const std::string& part :
             filled(items_of(line.substr(own)), width - indent - own - hanging)) {
            // An item that is too long is broken at spaces.
            for (const std::string& piece : filled(words(part), width - indent - own - hanging)) {
                result += std::string(indent + own + (is_first ? 0 : hanging), ' ') + piece + '\n';
                is_first = false;
            }
        }
    }
    return result;
}

std::string paragraph(std::string_view text, std::size_t indent, std::size_t width) {
    std::string result;
    for (const std::string_view line : words(text, '\n')) {
        // A line that fits is not wrapped, so that formulas stay aligned by spaces.
        if (columns_of(line) + indent <= width) {
            result += std::string(indent, ' ').append(line) + '\n';
            continue;
        }
        for (const std::string& part : filled(words(line), width - indent)) {
            result += std::string(indent, ' ') + part + '\n';
        }
    }
    return result;
}

std::string command_line(std::string_view command, std::size_t width) {
    constexpr std::size_t indent = 2, hanging = 4;
    if (columns_of(command) + indent <= width) return fmt::format("  {}\n", command);
    std::string result;
    for (const std::string& line : filled(shell_words(command), width - indent - hanging, " \\")) {
        result += std::string(result.empty() ? indent : indent + hanging, ' ') + line + '\n';
    }
    return result;
}

}  // namespace pegen::cli
